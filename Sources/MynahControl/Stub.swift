import Hummingbird
enum Stub {}
