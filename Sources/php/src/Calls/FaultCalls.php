<?php

// Made by Sources/helpers/generate.py: change that, or what the program says.
declare(strict_types=1);

namespace Mynah\Calls;

use Mynah\Documents;
use Mynah\Fault;
use Mynah\Record;
use Mynah\Words;

/** The calls of a fault that are one request each. */
trait FaultCalls
{
    /**
     * A new snapshot of the rule.
     */
    public function refresh(): Fault
    {
        $answer = $this->control->call('GET', '/v1/faults/' . Documents::segment($this->id));
        return Record::of('Fault', $answer, $this->control);
    }

    /**
     * Changes members of the rule; gives the changed rule.
     *
     * Options: `name`, `scope`, `enabled`, `rulePriority`, `match`, `skip`, `times`, `every`, `probability`,
     * `connections`, `keys`, `rateOver`, `activeFrom`, `activeUntil`, `action`, `actions`, `then`.
     */
    public function change(mixed ...$options): Fault
    {
        $given = Documents::checked('change', $options, Words::KNOWN['Fault']['change']);
        $answer = $this->control->call(
            'PATCH',
            '/v1/faults/' . Documents::segment($this->id),
            body: Documents::document([...$given]),
        );
        return Record::of('Fault', $answer, $this->control);
    }

    /**
     * Removes the rule.
     */
    public function remove(): void
    {
        $this->control->call('DELETE', '/v1/faults/' . Documents::segment($this->id));
    }
}
