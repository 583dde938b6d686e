<?php

declare(strict_types=1);

namespace Mynah;

/**
 * What the control API answers: a value with the API's members; times are `DateTimeImmutable`.
 *
 * `$document` is the answer itself.
 */
class Record implements \JsonSerializable
{
    final public function __construct(
        protected readonly string $kind,
        public readonly array $document,
        protected readonly ?ControlAPI $control = null,
    ) {
    }

    /** A record of a kind. */
    public static function of(string $kind, array $document, ?ControlAPI $control = null): self
    {
        $class = match ($kind) {
            'Device' => Device::class,
            'Fault' => Fault::class,
            'Notification' => Notification::class,
            default => self::class,
        };
        return new $class($kind, $document, $control);
    }

    /** @return list<self> */
    public static function all(string $kind, array $items, ?ControlAPI $control = null): array
    {
        return array_map(fn ($one) => self::of($kind, $one, $control), $items);
    }

    public function __get(string $name): mixed
    {
        if (!isset($this->$name) && !in_array($name, Words::MEMBERS[$this->kind] ?? [], true)) {
            $hint = Documents::hintFor($name, Words::MEMBERS[$this->kind] ?? []);
            throw new \Error("a {$this->kind} has no \$$name: $hint");
        }
        return $this->valueOf(Words::KINDS[$this->kind][$name] ?? '', $this->document[$name] ?? null);
    }

    public function __isset(string $name): bool
    {
        return array_key_exists($name, $this->document);
    }

    public function jsonSerialize(): array
    {
        return $this->document;
    }

    private function valueOf(string|array $kind, mixed $value): mixed
    {
        if ($kind === '' || $value === null) {
            return $value;
        }
        if (is_array($kind)) {
            return array_map(fn ($one) => $this->valueOf($kind['any'] ?? $kind[0], $one), $value);
        }
        return $kind === 'Time' ? new \DateTimeImmutable($value) : self::of($kind, $value, $this->control);
    }
}
