/** A time: with its zone, or as RFC 3339 has it. */
export type Time = Date | string;

/** A duration with its unit: `"250ms"`, `"5s"`, `"1h30m"`. */
export type Duration = string;

export type Value = string | number | boolean | Date;

/** A condition on a value of a push. */
export interface Condition {
  prefix?: string;
  contains?: string;
  regex?: string;
  not?: FilterValue;
  exists?: boolean;
  gte?: number | string;
  lte?: number | string;
}

/** A value, any of several, or a condition. */
export type FilterValue = Value | readonly FilterValue[] | Condition;

/** A value, any of several, or all others. */
export type ListFilterValue = Value | readonly Value[] | { not: Value | readonly Value[] };

/** A value, or a part of a text. */
export type ValueOrPart = Value | { contains: string };

/** The same of pushes, whose texts can also be found by a part. */
export type PushFilterValue = ValueOrPart | readonly ValueOrPart[] | { not: ValueOrPart | readonly ValueOrPart[] };
