import Foundation
import PackagePlugin

/// Turns files into Swift source before a target is compiled, so that its binary carries them: the page of
/// `MynahControl`, the shipped scenarios of `MynahCore`, the cases of `MynahComparison`.
///
/// SwiftPM's own `.embedInCode` writes one integer literal per byte, which costs the compiler half a minute for these
/// files; string literals cost it nothing.
@main
struct EmbedFiles: BuildToolPlugin {
    /// The folder below the target's own that holds the page.
    private static let page = "Page/Web"
    /// Lists the folders outside the targets, for the image's build, too.
    private static let folders = "Sources/EmbedFiles/folders.json"

    /// A folder below the package whose files a module carries.
    private struct Folder: Decodable {
        let module: String
        let folder: String
        let suffix: String
        let kind: String
        let output: String
    }

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let list = try Data(contentsOf: context.package.directoryURL.appending(path: EmbedFiles.folders))
        let folders = try JSONDecoder().decode([Folder].self, from: list)
        if let folder = folders.first(where: { $0.module == target.name }) {
            let inputs = try files(in: folder.folder, endingIn: folder.suffix, context)
            return [try command(folder.kind, to: folder.output, from: inputs, in: "", context)]
        }
        let root = module.directoryURL.appending(path: EmbedFiles.page).path + "/"
        let page = module.sourceFiles.map(\.url).filter { $0.path.hasPrefix(root) }.sorted { $0.path < $1.path }
        guard !page.isEmpty else {
            Diagnostics.error(
                "\(target.name) has nothing to embed: expected a row in \(EmbedFiles.folders), or files in \(root)")
            return []
        }
        return [try command("page", to: "PageFile+Embedded.swift", from: page, in: root, context)]
    }

    private func files(in folder: String, endingIn suffix: String, _ context: PluginContext) throws -> [URL] {
        let folder = context.package.directoryURL.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
    }

    private func command(
        _ kind: String, to name: String, from inputs: [URL], in root: String, _ context: PluginContext
    ) throws -> Command {
        let output = context.pluginWorkDirectoryURL.appending(path: name)
        return .buildCommand(
            displayName: "Embedding \(inputs.count) files: \(kind)",
            executable: try context.tool(named: "FileEmbedder").url,
            arguments: [kind, output.path, root] + inputs.map(\.path),
            inputFiles: inputs,
            outputFiles: [output])
    }
}
