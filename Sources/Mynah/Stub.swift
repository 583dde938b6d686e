import Logging
enum Stub {}
