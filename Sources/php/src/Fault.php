<?php

declare(strict_types=1);

namespace Mynah;

/** A snapshot of a fault rule, with the members of the API. */
final class Fault extends Record
{
    use Calls\FaultCalls;

    /** The rule once it has fired `hits` times in all; an `UnmetException` if that takes longer than `within`. */
    public function wait(int $hits = 1, mixed $within = '5s'): self
    {
        $query = Documents::parameters(['wait' => Documents::duration($within), 'hits' => $hits]);
        $answer = $this->control->call('GET', '/v1/faults/' . Documents::segment($this->id), query: $query);
        if (!$answer['timedOut']) {
            return self::of('Fault', $answer, $this->control);
        }
        $fired = "fault {$this->id} fired {$answer['fired']} times within $within, expected $hits";
        $match = Documents::json($answer['match']);
        throw new UnmetException("$fired; {$answer['matched']} requests matched $match");
    }

    /**
     * An action in the API's form: a status to answer with its usual reason, a preset, a reason, or the API's object.
     *
     * @internal
     */
    public static function actionOf(mixed $action): array
    {
        if (is_int($action)) {
            return ['type' => 'respond', 'status' => $action];
        }
        if (!is_string($action)) {
            return (array) Documents::plain($action);
        }
        if (isset(Words::PRESETS[$action])) {
            return Words::PRESETS[$action];
        }
        if (in_array($action, Words::REASONS, true)) {
            return ['type' => 'respond', 'reason' => $action];
        }
        $presets = array_map(strval(...), array_keys(Words::PRESETS));
        $all = implode(', ', $presets) . ", a reason of APNs, or the API's object";
        $hint = Documents::hintFor($action, [...$presets, ...Words::REASONS], $all);
        throw new ArgumentException("unknown preset or reason \"$action\": $hint");
    }

    /**
     * One action with options of its own, or several in sequence, as members of a rule.
     *
     * @internal
     */
    public static function actionsOf(mixed $action, array $options): array
    {
        if (is_int($action) || is_string($action)) {
            $one = self::actionOf($action);
            // The body and the debug data are in its place.
            if (array_key_exists('body', $options) || array_key_exists('debug', $options)) {
                unset($one['reason']);
            }
            return ['action' => [...$one, ...$options]];
        }
        if ($options !== []) {
            $hint = "expected as a member of the action's object, or with one preset or status alone";
            throw new ArgumentException(implode(', ', array_keys($options)) . ": $hint");
        }
        $isSequence = is_array($action) && array_is_list($action);
        return $isSequence
            ? ['actions' => array_map(self::actionOf(...), $action)]
            : ['action' => self::actionOf($action)];
    }
}
