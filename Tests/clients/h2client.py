"""An HTTP/2 client at frame level, on the frames and the HPACK of Python's h2.

It does what a decent client does (acknowledges SETTINGS, answers PING, gives window back) unless told
otherwise, and it never refuses to send something illegal.
"""

from __future__ import annotations

import socket
import ssl
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import hpack
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    Frame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from provider_token import Form
from reply import Reply
from server import Mynah
from waiting import HANG_SECONDS

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FRAME_BYTES = 16_384
MAX_CONCURRENT_STREAMS = 3

# RFC 9113 §7
NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, REFUSED_STREAM, CANCEL = 0, 1, 3, 5, 7, 8
ENHANCE_YOUR_CALM = 11

Fields = list[tuple[str | bytes, str | bytes]]
DEFAULT_BODY = b'{"aps":{"alert":"hi"}}'


class Closed(AssertionError):
    """The server closed the connection while something was still awaited."""


class FrameConnection:
    """One HTTP/2 connection."""

    def __init__(
        self, channel: socket.socket, mynah: Mynah, *, scheme: str = "https", seconds: float = HANG_SECONDS
    ) -> None:
        """Takes the channel over; `seconds` is how long it waits for each piece of what it reads."""
        channel.settimeout(seconds)
        self.seconds = seconds
        # HEADERS and DATA are two writes; Nagle's algorithm would hold back the second for 40 ms.
        channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.channel = channel
        self.mynah = mynah
        self.scheme = scheme
        self.encoder = hpack.Encoder()
        self.decoder = hpack.Decoder()
        self.next_stream = 1
        self.replies: dict[int, Reply] = {}
        self.settings: list[dict[int, int]] = []
        self.settings_acks = 0
        self.pongs: list[bytes] = []
        self.goaways: list[GoAwayFrame] = []
        self.is_closed = False
        self.acknowledges_settings = True
        self.window = 65_535
        self.peer_initial_window = 65_535
        self.stream_windows: dict[int, int] = {}
        self.history: deque[Frame] = deque(maxlen=5000)
        self._buffer = b""
        self._block = b""
        self._block_frame: Frame | None = None

    def __enter__(self) -> FrameConnection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Sending

    def start(self, settings: dict[int, int] | None = None) -> FrameConnection:
        """Sends the preface and the client's SETTINGS."""
        self.send_bytes(PREFACE + SettingsFrame(0, settings=settings or {}).serialize())
        return self

    def send_bytes(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self.channel.sendall(data)

    def send(self, *frames: Frame) -> None:
        """Sends frames as they are, in one piece."""
        self.send_bytes(b"".join(frame.serialize() for frame in frames))

    def acknowledge_settings(self) -> None:
        """Acknowledges one SETTINGS of the server."""
        self.send(SettingsFrame(0, flags=["ACK"]))

    def new_stream(self) -> int:
        """The next stream's number."""
        stream = self.next_stream
        self.next_stream += 2
        return stream

    def push_fields(
        self,
        token: str,
        *,
        path: str | None = None,
        method: str = "POST",
        authorization: str | None = "",
        form: Form = Form(),
        topic: str | None = "com.example.app",
        push_type: str | None = "alert",
        authority: str | None = "localhost",
        further: Iterable[tuple[str, str]] = (),
    ) -> Fields:
        """The fields of a push; `authorization` is the server's own good one unless given, `None` for none."""
        fields: Fields = [(":method", method), (":scheme", self.scheme), (":path", path or f"/3/device/{token}")]
        if authority is not None:
            fields.append((":authority", authority))
        if authorization is not None:
            fields.append(("authorization", authorization or self.mynah.authorization(form)))
        if topic is not None:
            fields.append(("apns-topic", topic))
        if push_type is not None:
            fields.append(("apns-push-type", push_type))
        fields.extend(further)
        return fields

    def headers_frame(self, stream: int, fields: Fields, *, flags: Iterable[str] = ("END_HEADERS",)) -> HeadersFrame:
        """HEADERS with these fields, not sent yet. The dynamic table moves on, so it has to be sent."""
        return HeadersFrame(stream, data=self.encoder.encode(fields), flags=list(flags))

    def open(self, fields: Fields, *, end_stream: bool = False) -> int:
        """Opens a stream by HEADERS."""
        stream = self.new_stream()
        flags = ["END_HEADERS", "END_STREAM"] if end_stream else ["END_HEADERS"]
        self.send(self.headers_frame(stream, fields, flags=flags))
        return stream

    def send_body(self, stream: int, body: bytes) -> None:
        """Sends a body with END_STREAM as the windows allow, and gives up when the answer comes first."""
        rest = memoryview(body)
        while True:
            allowed = min(FRAME_BYTES, self.window, self.stream_window(stream))
            if rest and allowed <= 0:
                if self.reply_so_far(stream).is_over:
                    return
                self.read_frame()
                continue
            part, rest = rest[:allowed], rest[allowed:]
            self.send(DataFrame(stream, data=bytes(part), flags=[] if rest else ["END_STREAM"]))
            self.window -= len(part)
            self.stream_windows[stream] = self.stream_window(stream) - len(part)
            if not rest:
                return

    def request(self, fields: Fields, body: bytes = DEFAULT_BODY) -> int:
        """Sends a whole request and answers its stream, without waiting for the reply.

        In one piece if the windows allow it: no time passes between its frames.
        """
        if not body:
            return self.open(fields, end_stream=True)
        if len(body) <= min(FRAME_BYTES, self.window, self.peer_initial_window):
            return self.requests([fields], body)[0]
        stream = self.open(fields)
        self.send_body(stream, body)
        return stream

    def requests(self, all_fields: Iterable[Fields], body: bytes = DEFAULT_BODY) -> list[int]:
        """Sends whole requests in one piece, so that no time passes between them; their streams."""
        streams: list[int] = []
        frames: list[Frame] = []
        for fields in all_fields:
            stream = self.new_stream()
            streams.append(stream)
            frames.append(self.headers_frame(stream, fields))
            frames.append(DataFrame(stream, data=body, flags=["END_STREAM"]))
            self.window -= len(body)
        self.send(*frames)
        return streams

    def start_push(self, token: str, body: bytes = DEFAULT_BODY, **options: Any) -> int:
        """Sends a push and answers its stream, without waiting for the reply."""
        return self.request(self.push_fields(token, **options), body)

    def start_pushes(self, *tokens: str, body: bytes = DEFAULT_BODY) -> list[int]:
        """Sends pushes in one piece; their streams."""
        return self.requests([self.push_fields(token) for token in tokens], body)

    def push(self, token: str, body: bytes = DEFAULT_BODY, **options: Any) -> Reply:
        """Sends a push and waits for the reply."""
        return self.reply(self.start_push(token, body, **options))

    # Receiving

    @property
    def stream_limit(self) -> int:
        """How many streams may be open at once, by the SETTINGS that have been read; 1 before the first."""
        limits = [each[MAX_CONCURRENT_STREAMS] for each in self.settings if MAX_CONCURRENT_STREAMS in each]
        return limits[-1] if limits else 1

    def reply_so_far(self, stream: int) -> Reply:
        """What has come on a stream."""
        return self.replies.setdefault(stream, Reply())

    def reply(self, stream: int) -> Reply:
        """Waits until a stream is over."""
        return (
            self.read_until(lambda: self.reply_so_far(stream).is_over, f"the reply on stream {stream}")
            and (self.replies[stream])
        )

    def stream_window(self, stream: int) -> int:
        """How many bytes of DATA the server still takes on a stream."""
        return self.stream_windows.get(stream, self.peer_initial_window)

    def read_until(self, condition: Any, what: str) -> bool:
        """Reads frames until a condition holds."""
        while not condition():
            if self.read_frame() is None:
                raise Closed(f"closed while waiting for {what}; GOAWAY: {self.goaways}")
        return True

    def read_until_closed(self) -> None:
        """Reads frames until the server closes the connection."""
        while self.read_frame() is not None:
            pass

    def wait_for_settings(self, count: int = 1) -> dict[int, int]:
        """Waits until so many SETTINGS have come, and answers the last."""
        self.read_until(lambda: len(self.settings) >= count, f"{count} SETTINGS")
        return self.settings[count - 1]

    def wait_for_stream_limit(self, count: int) -> None:
        """Waits until so many streams may be open at once."""
        self.read_until(lambda: self.stream_limit >= count, f"SETTINGS that allow {count} streams")

    def ping(self, data: bytes = b"are you?") -> None:
        """Sends a PING and reads until its answer: all that was sent before it has then been handled."""
        before = len(self.pongs)
        self.send(PingFrame(0, opaque_data=data))
        self.read_until(lambda: data in self.pongs[before:], "the answer to a PING")

    def wait_for_goaway(self) -> GoAwayFrame:
        """Waits for a GOAWAY."""
        self.read_until(lambda: self.goaways, "GOAWAY")
        return self.goaways[0]

    def read_frame(self) -> Frame | None:
        """The next frame, after doing what a client does on it; `None` when the connection is closed."""
        header = self._read_exactly(9)
        if header is None:
            self.is_closed = True
            return None
        frame, length = Frame.parse_frame_header(memoryview(header))
        body = self._read_exactly(length) if length else b""
        if body is None:
            raise Closed("closed in the middle of a frame")
        frame.parse_body(memoryview(body))
        self.history.append(frame)
        self._handle(frame)
        return frame

    def close(self) -> None:
        """Closes the connection without a word."""
        self.channel.close()

    def _read_exactly(self, count: int) -> bytes | None:
        while len(self._buffer) < count:
            try:
                data = self.channel.recv(65_536)
            except (ConnectionResetError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
                data = b""
            except TimeoutError:
                raise AssertionError(
                    f"nothing came for {self.seconds} s; last frames: {list(self.history)[-5:]}"
                ) from None
            if not data:
                return None
            self._buffer += data
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _handle(self, frame: Frame) -> None:
        match frame:
            case SettingsFrame() if "ACK" in frame.flags:
                self.settings_acks += 1
            case SettingsFrame():
                self.settings.append({int(key): value for key, value in frame.settings.items()})
                self.peer_initial_window = frame.settings.get(4, self.peer_initial_window)
                if self.acknowledges_settings:
                    self._answer(SettingsFrame(0, flags=["ACK"]))
            case PingFrame() if "ACK" in frame.flags:
                self.pongs.append(bytes(frame.opaque_data))
            case PingFrame():
                self._answer(PingFrame(0, opaque_data=frame.opaque_data, flags=["ACK"]))
            case GoAwayFrame():
                self.goaways.append(frame)
            case WindowUpdateFrame() if frame.stream_id == 0:
                self.window += frame.window_increment
            case WindowUpdateFrame():
                self.stream_windows[frame.stream_id] = self.stream_window(frame.stream_id) + frame.window_increment
            case RstStreamFrame():
                reply = self.reply_so_far(frame.stream_id)
                if not reply.is_ended:
                    reply.reset_code = frame.error_code
            case HeadersFrame() | ContinuationFrame():
                self._handle_block(frame)
            case DataFrame():
                reply = self.reply_so_far(frame.stream_id)
                reply.body += bytes(frame.data)
                reply.frames.append(frame)
                reply.is_ended = "END_STREAM" in frame.flags
                if frame.data:
                    self._answer(WindowUpdateFrame(0, window_increment=frame.flow_controlled_length))

    def _answer(self, frame: Frame) -> None:
        # The server may have closed already; what it sent before is still worth reading.
        try:
            self.send(frame)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.acknowledges_settings = False

    def _handle_block(self, frame: HeadersFrame | ContinuationFrame) -> None:
        if isinstance(frame, HeadersFrame):
            self._block, self._block_frame = b"", frame
        self._block += bytes(frame.data)
        if "END_HEADERS" not in frame.flags:
            return
        assert self._block_frame is not None
        reply = self.reply_so_far(frame.stream_id)
        for name, value in self.decoder.decode(self._block, raw=True):
            reply.fields.append((name.decode(), value.decode()))
        reply.frames.append(self._block_frame)
        reply.is_ended = "END_STREAM" in self._block_frame.flags


def tls_context(mynah: Mynah, alpn: list[str] | None = None) -> ssl.SSLContext:
    """A client's TLS settings that trust the server's CA and nothing else."""
    context = ssl.create_default_context(cafile=str(mynah.ca_file))
    if alpn:
        context.set_alpn_protocols(alpn)
    return context


def tls_channel(
    mynah: Mynah,
    *,
    alpn: list[str] | None = None,
    server_name: str = "localhost",
    address: str = "127.0.0.1",
    context: ssl.SSLContext | None = None,
    port: int | None = None,
    seconds: float = HANG_SECONDS,
) -> ssl.SSLSocket:
    """A TLS connection to the server, the certificate checked against the name."""
    plain = socket.create_connection((address, port or mynah.port), timeout=seconds)
    try:
        return (context or tls_context(mynah, alpn)).wrap_socket(plain, server_hostname=server_name)
    except BaseException:
        plain.close()
        raise


def connect(
    mynah: Mynah,
    *,
    alpn: list[str] | None = ["h2"],
    settings: dict[int, int] | None = None,
    start: bool = True,
    seconds: float = HANG_SECONDS,
    **options: Any,
) -> FrameConnection:
    """A connection over TLS, the preface sent; the server's SETTINGS are not read yet."""
    connection = FrameConnection(tls_channel(mynah, alpn=alpn, seconds=seconds, **options), mynah, seconds=seconds)
    return connection.start(settings) if start else connection


def connect_cleartext(mynah: Mynah) -> FrameConnection:
    """A connection to the cleartext port, HTTP/2 by prior knowledge."""
    channel = socket.create_connection(("127.0.0.1", mynah.cleartext_port), timeout=HANG_SECONDS)
    return FrameConnection(channel, mynah, scheme="http").start()


def trusted(connection: FrameConnection, token: str) -> FrameConnection:
    """The connection after one accepted push and the stream limit that follows it."""
    connection.push(token).assert_accepted()
    connection.wait_for_settings(2)
    connection.ping()
    return connection
