<?php

// Plays vectors with the PHP package: reads a command a line, and answers with a line, as `README.md` says.
declare(strict_types=1);

require 'vendor/autoload.php';

/** The objects of a vector, by their names. */
final class Player
{
    private const KINDS = [
        'MynahException' => 'MynahError', 'StartException' => 'StartError',
        'UnavailableException' => 'UnavailableError',
        'ArgumentException' => 'ArgumentError', 'MissingException' => 'MissingError', 'UnmetException' => 'UnmetError',
        'ControlException' => 'ControlError', 'ExpectationUnmet' => 'ExpectationUnmet',
    ];

    private array $objects = [];

    public function play(\stdClass $command): array
    {
        try {
            return match ($command->do) {
                'connect' => $this->connect($command),
                'call' => $this->call($command),
                'read' => ['values' => (object) array_combine(
                    $command->paths,
                    array_map(fn ($path) => $this->shown($this->find($path)), $command->paths),
                )],
            };
        } catch (\Exception $error) {
            $kind = self::KINDS[(new \ReflectionClass($error))->getShortName()] ?? throw $error;
            $told = ['kind' => $kind, 'message' => $error->getMessage()];
            if ($error instanceof \Mynah\ControlException) {
                $told += ['status' => $error->status, 'field' => $error->field, 'allowed' => $error->allowed];
                $told += ['type' => $error->type];
            }
            return ['error' => $told];
        }
    }

    private function connect(\stdClass $command): array
    {
        $server = \Mynah\Mynah::connect($command->url);
        $this->objects = ['server' => $server, 'mynah' => $server->scope($command->name)];
        return [];
    }

    private function call(\stdClass $command): array
    {
        $named = array_map($this->given(...), (array) $command->options);
        $result = [$this->find($command->on), $command->call](...$this->given($command->arguments), ...$named);
        if ($command->take !== null) {
            $events = [];
            foreach ($result as $event) {
                $events[] = $event;
                if (count($events) === $command->take) {
                    break;
                }
            }
            $result = $events;
        }
        if ($command->saved !== null) {
            $this->objects[$command->saved] = $result;
        }
        return [];
    }

    /** An object, or what is in it: `phone/registrations/0/topic`. */
    private function find(string $path): mixed
    {
        $names = explode('/', $path);
        $value = $this->objects[array_shift($names)];
        foreach ($names as $name) {
            $value = match (true) {
                is_array($value) => $value[$name],
                $name === 'text' && $value instanceof \Mynah\ExpectationResult => (string) $value,
                !isset($value->$name) && method_exists($value, $name) => $value->$name(),
                default => $value->$name,
            };
        }
        return $value;
    }

    /** An argument: `{"$": path}` stands for an object. */
    private function given(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map($this->given(...), $value);
        }
        if (!$value instanceof \stdClass) {
            return $value;
        }
        $members = (array) $value;
        return isset($members['$']) ? $this->find($members['$']) : (object) array_map($this->given(...), $members);
    }

    /** A value as JSON. */
    private function shown(mixed $value): mixed
    {
        return match (true) {
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.v\Z'),
            is_array($value) => array_map($this->shown(...), $value),
            default => $value,
        };
    }
}

$player = new Player();
while (($line = fgets(STDIN)) !== false) {
    $answer = (object) $player->play(json_decode($line));
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}
