import PackagePlugin

/// Turns the web files of a target into Swift source before it is compiled, so that its binary carries them.
///
/// SwiftPM's own `.embedInCode` writes one integer literal per byte, which costs the compiler half a minute for these
/// files; string literals cost it nothing.
@main
struct EmbedPage: BuildToolPlugin {
    /// The folder below the target's own that holds the files.
    private static let folder = "Page/Web"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let root = module.directoryURL.appending(path: EmbedPage.folder).path + "/"
        let inputs = module.sourceFiles.map(\.url).filter { $0.path.hasPrefix(root) }.sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "PageFile+Embedded.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(inputs.count) files of the page",
                executable: try context.tool(named: "PageEmbedder").url,
                arguments: [output.path, root] + inputs.map(\.path),
                inputFiles: inputs,
                outputFiles: [output])
        ]
    }
}
