<?php

declare(strict_types=1);

namespace Mynah;

/** The control API refused a call (`application/problem+json`). */
final class ControlException extends MynahException
{
    public readonly string $type;
    public readonly string $title;
    public readonly string $detail;
    /** A parameter's name, or a member's JSON pointer. */
    public readonly ?string $field;
    /** The valid values, if they can be listed. */
    public readonly array $allowed;

    /** `call` is the method and the path. */
    public function __construct(
        public readonly string $call,
        public readonly int $status,
        private readonly array $problem,
        string $hint = '',
    ) {
        $this->type = $problem['type'] ?? 'about:blank';
        $this->title = $problem['title'] ?? '';
        $this->detail = $problem['detail'] ?? '';
        $this->field = $problem['field'] ?? null;
        $this->allowed = $problem['allowed'] ?? [];
        $what = implode(': ', array_filter([$this->field ?? $this->title, $this->detail], fn ($part) => $part !== ''));
        // Most details name them.
        $unnamed = array_filter($this->allowed, fn ($value) => !str_contains($this->detail, (string) $value));
        $values = $unnamed === [] ? '' : ' (allowed: ' . implode(', ', $this->allowed) . ')';
        parent::__construct("$call was answered $status: $what$values$hint");
    }

    /** The same refusal with what helps. */
    public function with(string $hint): self
    {
        return new self($this->call, $this->status, $this->problem, ": $hint");
    }
}
