/// The program's version.
public enum MynahVersion {
    /// A semantic version.
    public static let current = "0.1.0"
}
