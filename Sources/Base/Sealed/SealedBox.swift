import CSodium

/// XChaCha20-Poly1305: bytes that only the key opens and nobody changes unseen.
public enum SealedBox {
    /// Nonce (24 bytes, random) and ciphertext with tag. `key` 32 bytes; `context` must be the same to open.
    public static func seal(_ plain: [UInt8], key: [UInt8], context: [UInt8] = []) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.count == causeway_aead_key_bytes(), "a sealing key has 32 bytes")
        let nonce = randomBytes(causeway_aead_nonce_bytes())
        var out = [UInt8](repeating: 0, count: plain.count + causeway_aead_tag_bytes())
        var length: UInt64 = 0
        let status = crypto_aead_xchacha20poly1305_ietf_encrypt(
            &out, &length, plain, UInt64(plain.count), context, UInt64(context.count), nil, nonce, key)
        precondition(status == 0 && Int(length) == out.count, "sealing never fails")
        return nonce + out
    }

    public static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8] = []) throws(SealedError) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.count == causeway_aead_key_bytes(), "a sealing key has 32 bytes")
        let nonceCount = causeway_aead_nonce_bytes()
        let tagCount = causeway_aead_tag_bytes()
        guard sealed.count >= nonceCount + tagCount else { throw .damaged }
        let nonce = Array(sealed[..<nonceCount])
        let body = Array(sealed[nonceCount...])
        var out = [UInt8](repeating: 0, count: body.count - tagCount)
        var length: UInt64 = 0
        guard
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                &out, &length, nil, body, UInt64(body.count), context, UInt64(context.count), nonce, key) == 0
        else { throw .wrongKey }
        return out
    }
}
