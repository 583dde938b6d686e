import NIOPosix
import NIOHTTP1
enum Stub {}
