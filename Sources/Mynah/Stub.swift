internal import Logging
enum Stub {}
