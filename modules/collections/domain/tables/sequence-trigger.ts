/** The trigger that numbers the rows of a collection, in the transaction that writes them. Pure. */
import { hash, identifier } from '../declarations/naming.ts'
import { sequenceForm } from '../fields/sequences.ts'
import type { CollectionLayout } from './layout.ts'
import { literal, quoteName } from './sql-literals.ts'

export interface SequenceTrigger {
  readonly table: string
  /** Stored as the comment of the trigger: changes if the trigger does. */
  readonly version: string
  readonly create: readonly string[]
}

/** Runs before the triggers that keep the columns of renamed and computed fields. */
export const SEQUENCE_TRIGGER = 'larder_0_sequence'

/** A number of this form as SQL. */
export function numberedSql(source: string, number: string): string {
  const { prefix, digits, suffix } = sequenceForm(source)
  const padded = `lpad(${number}::text, greatest(${digits}, length(${number}::text)), '0')`
  return `${literal(prefix)} || ${padded} || ${literal(suffix)}`
}

/** The number in a text of this form; null for another text. */
export function numberOfSql(source: string, text: string): string {
  const { prefix, suffix } = sequenceForm(source)
  const inner = `substr(${text}, ${[...prefix].length + 1}, char_length(${text}) - ${[...prefix].length + [...suffix].length})`
  const isNumber = `${text} like ${literal(`${escapeLike(prefix)}%${escapeLike(suffix)}`)} and char_length(${text}) > ${[...prefix].length + [...suffix].length}`
  return `(case when ${isNumber} then substring(${inner} from '^[0-9]{1,15}$')::bigint end)`
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** @param copies other columns of the field, while it has two names. */
export function sequenceTrigger(layout: CollectionLayout, copies: readonly string[]): SequenceTrigger | undefined {
  const { table, name, fields } = layout
  const field = fields.find(({ sequence }) => sequence !== undefined)
  if (field?.sequence === undefined) return undefined
  const own = `new.${quoteName(field.column)}`
  const given = `coalesce(${[own, ...copies.map(copy => `new.${quoteName(copy)}`), 'null'].join(', ')})`
  const count = (first: string, next: string) =>
    `insert into collections_sequences as s (tenant_id, collection, last_number)
       select new.tenant_id, ${literal(name)}, ${first}
       on conflict (tenant_id, collection) do update set last_number = ${next} returning s.last_number into counted`
  const body = `declare
    given text := ${given};
    counted bigint;
  begin
    if given is null then
      ${count('1', 's.last_number + 1')};
      ${own} := ${numberedSql(field.sequence, 'counted')};
    else
      counted := ${numberOfSql(field.sequence, 'given')};
      if counted is not null then
        ${count('counted', 'greatest(s.last_number, excluded.last_number)')};
      end if;
    end if;
    return new;
  end`
  const func = quoteName(identifier(`${SEQUENCE_TRIGGER}_${table}`))
  const on = quoteName(table)
  const create = [
    `create or replace function ${func} () returns trigger language plpgsql as ${literal(body)}`,
    `create trigger ${SEQUENCE_TRIGGER} before insert on ${on} for each row execute function ${func} ()`,
  ]
  const version = `larder sequence ${hash(create.join())}`
  return {
    table,
    version,
    create: [...create, `comment on trigger ${SEQUENCE_TRIGGER} on ${on} is ${literal(version)}`],
  }
}
