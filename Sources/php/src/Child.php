<?php

declare(strict_types=1);

namespace Mynah;

/**
 * A `mynah exec` whose command waits for the end of its input.
 *
 * @internal
 */
final class Child
{
    /** A machine may stand still for a minute; a process that ends is known at once. */
    private const READY_SECONDS = 120;
    private const STOP_SECONDS = 120;
    private const POLL_MICROSECONDS = 5000;
    private const NANOSECONDS = 1_000_000_000;
    private const KILL = 9;
    /** Tells where the server is, and stays until this process ends or closes its end of the pipe. */
    public const COMMAND = ['sh', '-c', 'echo "mynah ready $MYNAH_URL $MYNAH_APNS_HOST $MYNAH_APNS_PORT"; exec cat'];

    /** @var resource|null */
    private $process;
    private array $pipes = [];
    private readonly string $log;
    /** @var list<string> The lines of the log, when its file has been removed. */
    private array $kept = [];
    private readonly int $owner;

    public function __construct(
        private readonly array $command,
        array $variables,
        private readonly string $folder,
        private readonly bool $isTemporary,
    ) {
        $this->log = "$folder/log";
        $this->owner = getmypid();
        $streams = [['pipe', 'r'], ['pipe', 'w'], ['file', $this->log, 'w']];
        $process = @proc_open($command, $streams, $this->pipes, $folder, $variables);
        if ($process === false) {
            throw new StartException("{$command[0]} cannot be run: " . (error_get_last()['message'] ?? 'no reason'));
        }
        $this->process = $process;
        register_shutdown_function(fn () => $this->stop());
    }

    /** What its first line says behind `mynah ready`. */
    public function ready(): array
    {
        $read = [$this->pipes[1]];
        $none = null;
        $isReadable = stream_select($read, $none, $none, self::READY_SECONDS) > 0;
        $line = $isReadable ? (string) fgets($this->pipes[1]) : '';
        if (str_starts_with($line, 'mynah ready ')) {
            return array_slice(explode(' ', rtrim($line)), 2);
        }
        $late = 'did not say that it is ready within ' . self::READY_SECONDS . ' s';
        $why = $isReadable ? "ended with {$this->wait()}" : $late;
        throw new StartException("mynah $why\n" . $this->told());
    }

    /** Ends it; an error if it has ended already, or ends with another code than 0. */
    public function stop(): void
    {
        // The copy of a process has no child, and a server is ended once.
        if ($this->process === null || getmypid() !== $this->owner) {
            return;
        }
        fclose($this->pipes[0]);
        $code = $this->wait();
        $told = $this->told();
        $this->removeFolder();
        if ($code !== 0) {
            $late = 'did not end within ' . self::STOP_SECONDS . ' s';
            throw new MynahException('mynah ' . ($code === null ? $late : "ended with $code") . "\n$told");
        }
    }

    /** Ends it in whatever way. */
    public function abandon(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, self::KILL);
            $this->wait();
        }
        $this->removeFolder();
    }

    /** @return list<string> */
    public function logLines(): array
    {
        return is_file($this->log) ? file($this->log, FILE_IGNORE_NEW_LINES) : $this->kept;
    }

    /** The code that it ends with; null if it has to be killed. */
    private function wait(): ?int
    {
        $end = hrtime(true) + self::STOP_SECONDS * self::NANOSECONDS;
        do {
            $status = proc_get_status($this->process);
            if (!$status['running']) {
                break;
            }
            usleep(self::POLL_MICROSECONDS);
        } while (hrtime(true) < $end);
        if ($status['running']) {
            proc_terminate($this->process, self::KILL);
        }
        proc_close($this->process);
        $this->process = null;
        return $status['running'] ? null : ($status['signaled'] ? $status['termsig'] : $status['exitcode']);
    }

    private function removeFolder(): void
    {
        $this->kept = $this->logLines();
        if ($this->isTemporary) {
            Folder::remove($this->folder);
        }
    }

    private function told(): string
    {
        $arguments = implode(' ', array_slice($this->command, 1));
        return implode("\n", ["--- mynah $arguments", ...$this->logLines(), '---']);
    }
}
