/// Keys of other kinds, made with the `openssl` command for these tests.
enum KeyFixtures {
    /// PKCS#8, P-256, the optional public half left out.
    static let withoutPublicHalf = """
        -----BEGIN PRIVATE KEY-----
        MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCBS83N0eeqxlAAf2Ieo
        vAIEtG/6Xt/kGPPdYGLeEG6V7g==
        -----END PRIVATE KEY-----

        """

    /// The public half of the key above.
    static let publicHalf = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEi5FSdYzbjQPhnpQvcPOoazmnHsmQ
        xIR/2LYWWumj94hqRPhHll8dBsSi4Pff8COaONva/sJ8Ds15ey1oc7NMrw==
        -----END PUBLIC KEY-----

        """

    /// SEC 1 on P-256, after the parameters, as `openssl ecparam -genkey` writes it.
    static let sec1 = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIAIu08juXmbmltekW4UDoxTi6j+bm38an8cO4fr7ilZCoAoGCCqGSM49
        AwEHoUQDQgAEG5O9aB6RnBlmQGxQSjGhczYchBveIO87B/7zKJ8IHfrqxoUnrSFd
        P0CUNXq9v2BRr9+HDSntTn7Rn9hOeSKebw==
        -----END EC PRIVATE KEY-----

        """

    /// PKCS#8, RSA with 1024 bits.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAOHD6s/vd/bRxNCZ
        ybnoQudgXGlDn0FwRP8203vwqN4L30ebVzEjJEMvKxT/VcuovCeisupQD8aXGDz6
        Dzb9aaP8K99oZ6+X7whLtAwp9D+PMiU7nxI9qLuC1/Q021tJSMBNXKu87B68I/3s
        Zj6CezpoDUcinJMzhmY6+Utr0OvzAgMBAAECgYBBjjgixPBatTKnN+DBoNW8hdiP
        oFkgEU+Xo/3o4UrHnz7odgztcbzX3VxvLm1lQ8vO3omBTFooWjtpiVrdptwDfBnA
        n10UP2jIUkRR4o+dBzVwAMR8UuwtQ7LVjia1Tr9XQUfI3VaTaOc9mfveX+QO9S97
        sVgfHKS1exPpVmKx4QJBAP9DwjQFO96Tq1MY3Es45bzwBznfaTpKsWRQxPvzc/ol
        NtOQlUh94FtgXyp91ZIBmkhAdFPmB/2JZvB3V1narQkCQQDiamebyLkGQ5waTzSe
        0ATzxobaOASa+DqagSQSBlcbNCMl67LyB7nZ/SLRK4hk96nY2JGvv386WWnx5B+t
        0kwbAkAisUfUoB1566HuQkO2aX43xnuE7wszI/GmC6AqCfVqOuKPsGfJmWoDoT5t
        3PpIxLT+OtxUhr/xQlpeNioGCUVZAkAzIzk3dERl58tQHeeSnwUfUg2PJ+vSXJJP
        5y8QayItYL83h16pT5loZMYCXES4GT/hXDi7axL/SMam/ZEyHzdVAkEA5WG7QyB3
        bpe+6/+oUHVkEDF5Dbie9F69zIBvtN4K5EH6EbpbEbiuBIsGfh2U5Z7KSDjTN2Ha
        mRc9BUmqyygeWw==
        -----END PRIVATE KEY-----

        """

    /// PKCS#8, Ed25519.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIA/OnyeDD3OpmRKmP/+rAcSOZs31yNoIX8Z27DiGXihp
        -----END PRIVATE KEY-----

        """

    /// PKCS#8, EC on P-384.
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDE/YQZ6hPwSzPaRx+B
        PbvuDQg2TiavOzYwr0j6gLwilZBWTCYeaSzjzIUtqya22t2hZANiAAQLYtVMvZDl
        NxXRxRA+qle9xcZ4NeNb1fz9I7Yhpxia/gP4hGm2BIgVhIlKRgGpNZIzeYZTnMxa
        b5GSHxIPJtwHW6FXioe7JrYYkbjQd+wEuyGF0ukX+kIQZn8vrigmBas=
        -----END PRIVATE KEY-----

        """
}
