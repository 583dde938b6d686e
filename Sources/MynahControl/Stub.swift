import Hummingbird

enum Stub {}
