<?php

declare(strict_types=1);

namespace Mynah;

/** The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's. */
final class Clock
{
    use Calls\ClockCalls;

    /** Without a scope, the server's clock, which all tests share. */
    public function __construct(
        private readonly ControlAPI $control,
        public readonly ?string $scope,
    ) {
    }

    /**
     * Advances by a duration (`'2h'`), to a time, or to the next event due: `advance(to: 'next')`.
     *
     * Everything due is in journals and inboxes when this is done.
     */
    public function advance(mixed $by = null, \DateTimeInterface|string|null $to = null): Record
    {
        if (($by === null) === ($to === null)) {
            throw new ArgumentException('advance(): expected a duration, or to: with a time');
        }
        $change = $to === null ? ['by' => Documents::duration($by)] : ['to' => $to];
        $body = Documents::document([...$change, 'scope' => $this->scope]);
        $answer = $this->control->call('POST', '/v1/clock/advance', body: $body);
        return Record::of('ClockReport', $answer, $this->control);
    }
}
