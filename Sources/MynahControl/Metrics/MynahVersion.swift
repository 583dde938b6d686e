/// The version of this program.
public enum MynahVersion {
    /// By semantic versioning; `--version` and `GET /v1/status` say it.
    public static let current = "0.1.0"
}
