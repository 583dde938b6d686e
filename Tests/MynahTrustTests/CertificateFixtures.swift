/// Certificates and keys in their common forms, made with the `openssl` command for these tests.
///
/// The password is `secret` where there is one.
enum CertificateFixtures {
    /// A key, PKCS#8, RSA with 2048 bits.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDYxWh5HlEvGn/0
        aFKOvT3D38sZ5wI0cSr1OxGEC3MU4k2PcqHAaGhqY7IFGM9vzA1WmPvA7qvqdyFY
        jTOQInn05Xuo5ZAq+UWlU/DtQZnhco3TI7Q8tA8ITPdVmIHZzM7FtZZmTJcsPoPH
        dMu7/TyhKkefAkkeooOp4wqQT5zRMCD/ks520SVb+22KxbWghrHu6B5kKbSdMnVB
        BG7dZoBY1H6OEN9d2HcRNMviGr1Un+NjOItLuztjWiPWiZwqbHqte2pNTtIyuNZn
        Um4llB5Ew/jNntLNK84i2G5C+Zt7NUJR9K0Ha+R7FRyYfZw42MUwIf1dlkkqqxqp
        sDoprQmhAgMBAAECggEACYImchwHbjXPEG7CorQGiw2vsEwTqsg4aarBh6JW76VG
        xxJXEDdxAqwRb97MO17e5BvWyZPOiUmlD7TPfIGLcIrf/aMZy7P4DAErS5G5yPIh
        tw+IXudJB4SuW4KFvTXm75sAMcf0E5x0Yrt3s+z72IsgIO3uCVpFXms9y3tQ6VRx
        JWmJzX7LAqCMB7YURVNbGVSWwIturTBsxtjOXyckD+NNyXq9EcEJxwqA12uvi/fm
        QqS0hn/eowvibhC64MrP9AeFnK91sIMc0ek/H2/zg8wk1tBhGcjAe5zXsStIrTha
        zO8k/GdHwOA1bepQ72m+MkXbDuoBYNx47K/AKaqwVwKBgQDzhSOPzwve5ZLf/a+W
        Xy80YfM0AiXuTrQxxHAO29+uE5qcd1uYyMHqStc0o7U2RjPd4oPwoRyRCp87wxDV
        3ONINqxwTkAKTnAcWOfN+OW7zm1jjze8B9La/ZaKB5INv1f5sE2TexzhjNmaP+P+
        R4y1dzaWo8ulX2tBjFZJuSs2GwKBgQDj4VYfIvdyc+syeL71dlyFDNHbZrWOxXn7
        tCZpN7kZZzh4LgLM+0H111c75nIWP5V5FuVj2qV5hsS7LhxsS5YmdwiJXJntko0g
        F0MuYmQnjK0jlubVdnyOV0jz93WaI3cxGIZ4FQ1bT3tAr3L9gusL5ouoaexh8UCr
        LQ20pdzq8wKBgQDlcduY4xcnNB2YKJmpUBPVAjk5FpEQoV1Myu5eQbLWfKgfpqJK
        KVX0YAG3GkxiT/EMriFstxCIZH61u0yAhLgtUT5WLpROYatmOipmuo4SzyPoO4fj
        BWgZZ/fQI+PsSg4lN4VQYR5MMf7RREOYUWf1jtaDRt9Y+LfBMe4XVn2tYwKBgHpr
        SH/LohEbUuO3WCa3ojZbz7VE9Q4w6joc6nGl3MtX109AsIJ8DFBMkfF8+BcZq2v0
        r+C3yiOCEdfYiq5m4M/jLHPWil7FVwlBVfbqJpHUkgLHg1RzpbA2FdvyOXxHxzVZ
        zoteC+HczgLO/kBQf4LSJH6iALoRB8OtnWpJnGefAoGBAJqQ57Ocrlcqk/Jgyat2
        ZFlBS5NM9nPG6Qzq/XIm0iYfDzXcld66AA65Xekedd1qqcOKw6PXjJy6eYdOpWNE
        soQOwfW3VymWKM9fmTrO31q3qlACmrQrEDhVv+MlzgsA+6bKdjqmh4twUMohNRWT
        SGLFlEPO3TTA7vd3iT26dgYD
        -----END PRIVATE KEY-----

        """

    /// The key of ``certificate``, PKCS#8.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgt0Dt/Fasgj/yxhM3
        BildNtWe6Nx8H9PDXMqzK8etXeahRANCAAScq/V7aZtOQitd3H81JZiNspkOcocH
        jB1HAy/rF4xYz3aN/FgyxztOx8s7izbSwwfhpyuRUoWaOW+nMPU0Xqjq
        -----END PRIVATE KEY-----

        """

    /// A self-signed certificate of com.example.kept.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIB+zCCAaGgAwIBAgIUV24hGSQELK+p0m5URw4bSrJMTMgwCgYIKoZIzj0EAwIw
        UjEgMB4GCgmSJomT8ixkAQEMEGNvbS5leGFtcGxlLmtlcHQxLjAsBgNVBAMMJUFw
        cGxlIFB1c2ggU2VydmljZXM6IGNvbS5leGFtcGxlLmtlcHQwIBcNMjYxMTIxMTIw
        MTQ1WhgPMjEyNjEwMjgxMjAxNDVaMFIxIDAeBgoJkiaJk/IsZAEBDBBjb20uZXhh
        bXBsZS5rZXB0MS4wLAYDVQQDDCVBcHBsZSBQdXNoIFNlcnZpY2VzOiBjb20uZXhh
        bXBsZS5rZXB0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnKv1e2mbTkIrXdx/
        NSWYjbKZDnKHB4wdRwMv6xeMWM92jfxYMsc7TsfLO4s20sMH4acrkVKFmjlvpzD1
        NF6o6qNTMFEwHQYDVR0OBBYEFFWkWBvKhW+hIhWilaNuQzmdySOLMB8GA1UdIwQY
        MBaAFFWkWBvKhW+hIhWilaNuQzmdySOLMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI
        zj0EAwIDSAAwRQIhAIiW9X594AX2ug68U4O7IUgwyoUZma+E0DT1r7O6dYhdAiBR
        tgLnZP05Hs0m8kg4CoXV3AaDwbnTKh+JInojTyE0Vg==
        -----END CERTIFICATE-----

        """

    /// The same key, PKCS#8, encrypted.
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgpnfPEqaX+WgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEED0eiV00oOCYknCf3XOkfUQEgZCr
        3eXwRHcolYaYGyXtUw4CllIlrmaIJ6Zuly2WcSEWRcsyMcvUBYAKLuhVshQgQPwx
        makfLdPaROXG1bclesAp7Z6nkKUZlqEYOiUT34RvncGFeTGiU45nDwBN98f8RcQl
        7Rw7Q9t4d40wwo+/0UL0mDnLxyz8MfXIV3kR7nLa4sRFPy7CXlt28oRR89Q7PWE=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    /// The same key, SEC 1, encrypted as in RFC 1421.
    static let encryptedTraditionalKey = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,594982B01D242F55B7338611F72044BA

        PPcGz+rGXUeP9GUJ5ub6dHsezN9QG3j6AwnIL5qrR1fQ+wtPna6ImJm/BnDWL08+
        GDqYyFn9g13VrYoxzoVsj6gOE2C9GHRyPovbbWL1/S7BHXx3YHxCByg5ANmQQemj
        /QokdsaaMbE7DHBuSdvXeAV+xkUhB2YzVkSwew4OrvY=
        -----END EC PRIVATE KEY-----

        """

    /// Both as PKCS#12 in base64, encrypted by RC2 with 40 bits as old keychains did.
    static let legacyArchive = """
        MIID+gIBAzCCA8AGCSqGSIb3DQEHAaCCA7EEggOtMIIDqTCCAp8GCSqGSIb3DQEHBqCCApAwggKMAgEAMIIChQYJKoZIhvcN
        AQcBMBwGCiqGSIb3DQEMAQYwDgQIn8DMyXWLF5sCAggAgIICWCvmVUVUjZaJlcTAvaSbEuztSgZnnzvJJ41JA7jIaNjNA7bs
        O4wbjAOTKAcGnKUqYrBhV4VkonxFXckYiiLmL9JeFG0aEaiNaw4ZEPsZFwy0vJ/IAF4MZ34xSMe3YHOP2/m0pLVTVsHab6vQ
        1ANtFg4+SvxONzHAu5ENlFFy+zpcnnYgDef8tkjE0H1p38erJpY6pKMCv/LS2BFRkazUV1Hm9JK0JoofTTOLm1oijH0hWC7D
        zkJaNROOJNsIFlTk2R4wz1nh9hyGO89mi8HodwfuYT9szixiNwEm+ts1PD1zG/znq78sINOPrAo9zTtQhWiEPMODDBGbmM01
        BF8p/9kWaXaIiEK/85bVJNEfeBxYe5LdL+X12qkrd++8bYrPXekUaElwcbNnKgw/UMC0crS6330M3bkMSH9jyui3ZDH/xfeO
        JLZMlzpV+ZzXMHBg0WDwd2+TSMYkKAr0prM8JCoJIf1Q6uLKzaoa4QqGMXPPLNyZLiYsIXp8LvHJe5mUYzPcW95fbWHFakx5
        s04LGDBnZ9Rydt4OPC/F7jVkYIKlS09HBhL4iXAbXrXVJLMgYI6z+I7OmyyFTBCfcnHYBH/OIYiEbZ1kRma/f0v6EzmGY17R
        kyXTdfponAZv5rdX0RQ9pNsbDDR3aNsTeqZnQm9WHuNzHVeNw7zclrlEkHcqWYUVqGVyUsoaPK7patlh7Vwu2ConUpcRuB9Z
        H36X9Li8SVr3Twct6kqzpidakgzBRN3s5aiS4Hd3DCdf4h1RXrk4qe5tnHqBfwA+yGHPOF9acUIFFR9ZMTCCAQIGCSqGSIb3
        DQEHAaCB9ASB8TCB7jCB6wYLKoZIhvcNAQwKAQKggbQwgbEwHAYKKoZIhvcNAQwBAzAOBAi8WngPfcoa4QICCAAEgZDxYuuy
        OthPl2aoZB20kq4TVNd0HyUTCGVUTF/Cv0fVhbxshpCVXMJITEczxuiEVkFKpgLu3Cst0oTWflQ+TwzwgppBzCK5ppmAwNxE
        NQWcBeaz1TlAMgFzMquiFLF5k3EppgMmX7HvSdg9U/YIY6c7NsgVp0oaE7cnNhLuD9W/0NMzzkxZQ/40K4nFc3u9+u0xJTAj
        BgkqhkiG9w0BCRUxFgQU3mwpk1zToU68VYNw3ERf6YT7qdwwMTAhMAkGBSsOAwIaBQAEFPN1++HoaOVrLjymhH8nz0+7Xa3Q
        BAg6+fkSlLKNkgICCAA=

        """

    /// Both as PKCS#12 in base64, with an empty password.
    static let archiveWithEmptyPassword = """
        MIIEjAIBAzCCBEIGCSqGSIb3DQEHAaCCBDMEggQvMIIEKzCCAuIGCSqGSIb3DQEHBqCCAtMwggLPAgEAMIICyAYJKoZIhvcN
        AQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh2aaWhaY7pBgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQME
        ASoEEMiXKBMjiBqWPttojWwCGWWAggJgUkit98pu0arpm+IAC9hdI/HHbv/YWO7GdTuZJHoncD97fiS9u0GE1D4PACoQ5nc7
        AnUg6SzqQIOsbvTU5HeSqB0dMDOAVUCyAZY5JPFtGUiHI13K0xeA0rKb/EKuRiCTr5breQ/tjd0Xn/QaANHlN4z2A7NNHGSW
        WiE/jYpsgSMV2Cn2wNc02xdiWgn7o2iQgKRgqeN9IbQpR56d5sc70et/yQNmxP43aMjFI2ql2mGEsB1CLb6KUkFi+c6yV9kL
        1FZYJjf8/kMO9WmTRj3xq9BqmdVDt5cdV7Quvq/GaS0i0Icsap6mKdQJUzqDIRl4DOpILJDHc1MO8JKbQwj3j2PttLkxx5qk
        wkdHM3AxVeonqIR0kwUdWvStfdO9QhCF2uZRtp6Z7l5qStXEGMcfqYB5CPSr5Cdo2NU7DQp75y8kyffL7fJsmsgLP+8lzYKk
        SIcVNLmnu3AwFqEoEfrux4j9Z6OEgrEXH5T5cfcZFOCLpLSlnlenhUkqPElHh7dMwPzS+np2NPYVgFaSgElpXE/wot/uv2w1
        GErVup5wghJs9fhyji5/Of4QCfC+4y5yCSWk/AB4lsO6BLIVDL4b1M3DKNZ1+nY79anFzQa1bMrS+ict884jMofglfD70Wfc
        0oFm+U6Ly4fxYVOaox13nuWm36aZF07xz05MsIRsO3QMaViCHz7gM1XiLqiNp5MEyVygp0hYoLs16T6Rp+iszT3smziLXrK2
        TJNOeQL7fIbCBBSCByYHDJQq9xVhe50SrDbbE1/hZrObOQPgNN8eMOdzECmIK0uyUDHMbydQaS0wggFBBgkqhkiG9w0BBwGg
        ggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI/rXIL6v9
        3iMCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBCf9l4imdatjxWBLZo5FMQOBIGQSIHisKnnhMXjgyfUeJ3/xgCo
        whzvaWPbiTIJ4Gyn2CB6om9zQR/8jD8eUTRjlKDlQP8vWULOG/BxHW5je/dYjlPTzLPm/8VUYt21n1QEYpbn9uQ4Mxs5mJv8
        kP71qGMQpMns43qudZ7sYgYXVfpvBiHHnlAt9wGI46GJTc6UjaGBQ9MKSoyNg0jmLp+4DTqJMSUwIwYJKoZIhvcNAQkVMRYE
        FN5sKZNc06FOvFWDcNxEX+mE+6ncMEEwMTANBglghkgBZQMEAgEFAAQggMpVtZ7DPaUpYu5JmYGrMIq9gvmXAk5wel1kS+Pe
        IM8ECLFVYQSwze2RAgIIAA==

        """

    /// Both as PKCS#12 in base64, without a MAC to check the password.
    static let archiveWithoutMAC = """
        MIID0QIBAzCCA8oGCSqGSIb3DQEHAaCCA7sEggO3MIIDszCCAmoGCSqGSIb3DQEHAaCCAlsEggJXMIICUzCCAk8GCyqGSIb3
        DQEMCgEDoIICFzCCAhMGCiqGSIb3DQEJFgGgggIDBIIB/zCCAfswggGhoAMCAQICFFduIRkkBCyvqdJuVEcOG0qyTEzIMAoG
        CCqGSM49BAMCMFIxIDAeBgoJkiaJk/IsZAEBDBBjb20uZXhhbXBsZS5rZXB0MS4wLAYDVQQDDCVBcHBsZSBQdXNoIFNlcnZp
        Y2VzOiBjb20uZXhhbXBsZS5rZXB0MCAXDTI2MTEyMTEyMDE0NVoYDzIxMjYxMDI4MTIwMTQ1WjBSMSAwHgYKCZImiZPyLGQB
        AQwQY29tLmV4YW1wbGUua2VwdDEuMCwGA1UEAwwlQXBwbGUgUHVzaCBTZXJ2aWNlczogY29tLmV4YW1wbGUua2VwdDBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABJyr9Xtpm05CK13cfzUlmI2ymQ5yhweMHUcDL+sXjFjPdo38WDLHO07HyzuLNtLDB+Gn
        K5FShZo5b6cw9TReqOqjUzBRMB0GA1UdDgQWBBRVpFgbyoVvoSIVopWjbkM5nckjizAfBgNVHSMEGDAWgBRVpFgbyoVvoSIV
        opWjbkM5nckjizAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCIlvV+feAF9roOvFODuyFIMMqFGZmvhNA0
        9a+zunWIXQIgUbYC52T9OR7NJvJIOAqF1dwGg8G50yofiSJ6I08hNFYxJTAjBgkqhkiG9w0BCRUxFgQU3mwpk1zToU68VYNw
        3ERf6YT7qdwwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0w
        SjApBgkqhkiG9w0BBQwwHAQIVpI+O7Jy2SwCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBA+IsNIyPV/5a5ClM7y
        mfAJBIGQnq5kYRVjW4Usg5d1jm8F+LIb3o3YXLpu47FtEJP1Sv+M2qBaUXkyNX1Yqc6sc0s9X6ppp89n6mjs1mwj3QZXUMAw
        jT7ErFS3QFPuKyB5aAoKK490p1RwPEbivyGi5bR6VCxZHb6NBXFkTHKoCe+bhCIwi0weAIwgz0dBWFlrw0UsS4feX5V949GK
        R5BMnV1KMSUwIwYJKoZIhvcNAQkVMRYEFN5sKZNc06FOvFWDcNxEX+mE+6nc

        """
}
