import Finder
import Instruments
import SQLite

/// The same rows in SQLite's FTS5 with its trigram tokenizer, all of it in the page cache.
final class TrigramPeer {
    private let database: Database

    init(_ rows: [Instrument], _ forms: [SearchForms], _ path: String) throws {
        database = try Database(path: path)
        _ = try database.query("PRAGMA journal_mode = OFF") { _ in }
        try database.execute("PRAGMA cache_size = -400000")
        try database.execute(
            "CREATE VIRTUAL TABLE names USING fts5(code, english, simplified, traditional, pinyin, initials, tokenize = 'trigram')")
        let database = database
        try database.transaction { () throws(SQLiteError) in
            for (row, form) in zip(rows, forms) {
                let texts = [
                    row.code, row.names.english, row.names.simplified, row.names.traditional, form.pinyin.first ?? "",
                    form.initials.first ?? "",
                ]
                try database.run("INSERT INTO names VALUES (?, ?, ?, ?, ?, ?)", texts.map { .text($0) })
            }
        }
        try database.execute("INSERT INTO names(names) VALUES ('optimize')")
    }

    /// As a search box would ask for its first rows; without ranking it gives the first it meets.
    func search(_ text: String, isRanked: Bool) throws(SQLiteError) -> [Int64] {
        try database.query(
            isRanked
                ? "SELECT rowid FROM names WHERE names MATCH ? ORDER BY rank LIMIT 20"
                : "SELECT rowid FROM names WHERE names MATCH ? LIMIT 20",
            [.text("\"" + text + "\"")]
        ) { $0.integer(0) }
    }
}
