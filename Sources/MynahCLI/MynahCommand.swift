import ArgumentParser
import Yams
import ServiceLifecycle
@main struct MynahCommand: ParsableCommand {}
