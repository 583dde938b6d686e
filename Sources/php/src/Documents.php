<?php

declare(strict_types=1);

namespace Mynah;

/**
 * Converts names, times, durations and filters to the control API's form.
 *
 * @internal
 */
final class Documents
{
    /** The most items of one list. */
    public const LIST_MAX = 1000;
    /** Filters whose values have JSON pointers as keys. */
    private const POINTER_FILTERS = ['payload', 'screen', 'webPush'];
    /** Stands behind the name of a filter in a URL whose value is a part of the field's text. */
    private const PART_MARK = '~';
    /** How much of a word may differ from the one that was meant. */
    private const NEAR_SHARE = 0.5;
    private const TIME = 'Y-m-d\TH:i:s.v\Z';
    private const JSON = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION
        | JSON_THROW_ON_ERROR;

    /** JSON as the API writes it. */
    public static function json(mixed $value): string
    {
        return json_encode($value, self::JSON);
    }

    /** A duration in the API's form; a bare number is an error, because it has no unit. */
    public static function duration(mixed $value): string
    {
        if (is_string($value)) {
            return $value;
        }
        $shown = self::json($value);
        $hint = 'expected a text with a unit ("5s", "250ms", "1h30m")';
        throw new ArgumentException("wrong duration $shown: $hint");
    }

    /** A value for JSON: times as those of the API. */
    public static function plain(mixed $value): mixed
    {
        return match (true) {
            $value instanceof \DateTimeInterface => self::time($value),
            $value instanceof Record => $value->document,
            $value instanceof \BackedEnum => $value->value,
            is_array($value) => array_map(self::plain(...), $value),
            $value instanceof \stdClass => (object) array_map(self::plain(...), (array) $value),
            default => $value,
        };
    }

    public static function time(\DateTimeInterface $time): string
    {
        $there = \DateTimeImmutable::createFromInterface($time)->setTimezone(new \DateTimeZone('UTC'));
        return $there->format(self::TIME);
    }

    /** Arguments as a JSON object; without a scope it is for the whole server. */
    public static function document(array $values): object
    {
        return (object) self::plain(self::withoutNoScope($values));
    }

    /** Values without those that weren't given. */
    public static function known(array $values): array
    {
        return array_filter($values, fn ($value) => $value !== null);
    }

    public static function only(array $values, array $names): array
    {
        return array_intersect_key($values, array_flip($names));
    }

    public static function without(array $values, array $names): array
    {
        return array_diff_key($values, array_flip($names));
    }

    /** Values with other names for some. */
    public static function renamed(array $values, array $names): array
    {
        $found = [];
        foreach ($values as $name => $value) {
            $found[$names[$name] ?? $name] = $value;
        }
        return $found;
    }

    /** Filters as a `match` of the API; null is an error, because ignoring it would match more than is meant. */
    public static function matchOf(array|\stdClass $filters): array
    {
        foreach ((array) $filters as $name => $value) {
            if ($value === null) {
                $hint = "expected a value, or ['exists' => false] for pushes without one";
                throw new ArgumentException("wrong filter $name: null: $hint");
            }
        }
        return self::plain((array) $filters);
    }

    /**
     * Values as parameters of a URL: a list matches any of its values, `['not' => value]` all others,
     * `['contains' => text]` a part of the field's text.
     *
     * @return list<array{string, string}>
     */
    public static function parameters(array $values): array
    {
        $found = [];
        foreach (self::matchOf(self::withoutNoScope($values)) as $name => $value) {
            $isPointers = in_array($name, self::POINTER_FILTERS, true) && self::isMap($value);
            if ($value instanceof \stdClass) {
                $value = (array) $value;
            }
            // No condition at all would select everything.
            if ($value === []) {
                $what = $isPointers ? 'a condition' : 'a value';
                throw new ArgumentException("wrong filter $name: []: expected $what in it");
            }
            foreach ($isPointers ? $value : ['' => $value] as $pointer => $one) {
                array_push($found, ...self::parameter($isPointers ? "$name.$pointer" : $name, $one));
            }
        }
        return $found;
    }

    private static function withoutNoScope(array $values): array
    {
        if (array_key_exists('scope', $values) && $values['scope'] === null) {
            unset($values['scope']);
        }
        return $values;
    }

    private static function parameter(string $name, mixed $value): array
    {
        if ($value instanceof \stdClass) {
            $value = (array) $value;
        }
        if (is_array($value) && $value !== [] && !array_is_list($value)) {
            return match (array_keys($value)) {
                ['not'] => self::parameter("!$name", $value['not']),
                ['contains'] => self::parameter($name . self::PART_MARK, $value['contains']),
                default => throw new ArgumentException(
                    "wrong filter $name: " . self::json($value) . ": expected a value, ['contains' => …] or "
                    . "['not' => …]; only expect() has the other matchers"
                ),
            };
        }
        return array_map(
            fn ($one) => [$name, is_string($one) ? $one : self::json($one)],
            is_array($value) ? $value : [$value],
        );
    }

    private static function isMap(mixed $value): bool
    {
        return $value instanceof \stdClass || is_array($value) && ($value === [] || !array_is_list($value));
    }

    /** The named arguments of a call, after checking that they are known. */
    public static function checked(string $call, array $options, array $names): array
    {
        foreach (array_keys($options) as $name) {
            if (is_int($name)) {
                $hint = "expected named ones, like {$names[0]}: …";
                throw new ArgumentException("$call() got an argument too many: $hint");
            }
            if (!in_array($name, $names, true)) {
                throw new ArgumentException("$call(): unknown named argument \$$name: " . self::hintFor($name, $names));
            }
        }
        return $options;
    }

    /** What may have been meant by a word. */
    public static function hintFor(string $word, array $words, ?string $all = null): string
    {
        $near = null;
        $least = INF;
        foreach ($words as $one) {
            $distance = levenshtein($word, (string) $one);
            if ($distance < $least && $distance <= self::NEAR_SHARE * max(strlen($word), strlen((string) $one))) {
                $near = $one;
                $least = $distance;
            }
        }
        if ($near !== null) {
            return "did you mean \"$near\"?";
        }
        sort($words);
        return 'expected ' . ($all ?? implode(', ', $words));
    }

    /** A part of a path; a record stands for its member. */
    public static function segment(mixed $value, ?string $member = null): string
    {
        return rawurlencode((string) ($value instanceof Record && $member !== null ? $value->$member : $value));
    }

    /** The settings of a new device that has apps. */
    public static function withApps(string|array $topics, array $settings): array
    {
        $apps = array_map(fn ($topic) => ['topic' => $topic], (array) $topics);
        return [...$settings, 'registrations' => [...$apps, ...($settings['registrations'] ?? [])]];
    }
}
