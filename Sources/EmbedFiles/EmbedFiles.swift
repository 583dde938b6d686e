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
    /// The folders below the package that hold the shipped scenarios and the cases of the provider API.
    private static let scenarios = "fixtures/scenarios"
    private static let cases = "fixtures/provider-api"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        if target.name == "MynahComparison" {
            let inputs = try files(in: EmbedFiles.cases, endingIn: "json", context)
            return [try command("cases", to: "FixtureCase+Embedded.swift", from: inputs, in: "", context)]
        }
        let root = module.directoryURL.appending(path: EmbedFiles.page).path + "/"
        let page = module.sourceFiles.map(\.url).filter { $0.path.hasPrefix(root) }.sorted { $0.path < $1.path }
        guard page.isEmpty else {
            return [try command("page", to: "PageFile+Embedded.swift", from: page, in: root, context)]
        }
        let inputs = try files(in: EmbedFiles.scenarios, endingIn: "yaml", context)
        return [try command("scenarios", to: "ShippedScenarios+Texts.swift", from: inputs, in: "", context)]
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
