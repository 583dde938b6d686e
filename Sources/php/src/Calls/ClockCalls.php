<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah\Calls;

use Mynah\Documents;
use Mynah\Record;

/** The calls of a clock that are one request each. */
trait ClockCalls
{
    /**
     * The present time.
     */
    public function now(): \DateTimeImmutable
    {
        $answer = $this->control->call('GET', '/v1/clock', query: Documents::parameters(['scope' => $this->scope]));
        return new \DateTimeImmutable($answer['now']);
    }

    /**
     * `real`, `offset` or `frozen`.
     */
    public function mode(): string
    {
        $answer = $this->control->call('GET', '/v1/clock', query: Documents::parameters(['scope' => $this->scope]));
        return $answer['mode'];
    }

    /**
     * Freezes the clock, now or at a time.
     */
    public function freeze(\DateTimeInterface|string|null $at = null): Record
    {
        $answer = $this->control->call(
            'PUT',
            '/v1/clock',
            body: Documents::document(['scope' => $this->scope, ...Documents::known(['now' => $at]),
                'mode' => 'frozen']),
        );
        return Record::of('ClockReport', $answer, $this->control);
    }

    /**
     * Lets the clock run again from its present time.
     */
    public function run(): Record
    {
        $answer = $this->control->call(
            'PUT',
            '/v1/clock',
            body: Documents::document(['scope' => $this->scope, 'mode' => 'offset']),
        );
        return Record::of('ClockReport', $answer, $this->control);
    }
}
