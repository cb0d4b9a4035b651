import Persistence

/// The live sign-ins, found by id and by account without a look at any other's. Pure.
struct SignIns: Sendable {
    private var families: [String: FamilyRecord] = [:]
    /// By account; one account has few.
    private var ids: [String: Set<String>] = [:]

    subscript(id: String) -> FamilyRecord? { families[id] }

    mutating func put(_ family: FamilyRecord) {
        families[family.id] = family
        ids[family.accountID, default: []].insert(family.id)
    }

    /// False: it has ended meanwhile and stays so.
    mutating func replace(_ family: FamilyRecord) -> Bool {
        guard families[family.id] != nil else { return false }
        families[family.id] = family
        return true
    }

    mutating func remove(_ id: String) -> FamilyRecord? {
        guard let family = families.removeValue(forKey: id) else { return nil }
        ids[family.accountID]?.remove(id)
        if ids[family.accountID]?.isEmpty == true { ids[family.accountID] = nil }
        return family
    }

    /// Oldest first.
    func all(of account: String) -> [FamilyRecord] {
        (ids[account] ?? []).compactMap { families[$0] }.sorted { ($0.signedInAt, $0.id) < ($1.signedInAt, $1.id) }
    }
}
