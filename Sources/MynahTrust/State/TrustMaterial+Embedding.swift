extension TrustMaterial {
    /// The CA's certificate in DER, for clients whose libraries take bytes.
    package var authoritiesDER: [[UInt8]] { PEM.blocks(in: caPEM).compactMap(\.der) }
}
