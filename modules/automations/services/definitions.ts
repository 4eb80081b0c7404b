/** The automations of the running recipe, and the definitions that older runs keep. */
import { type Deps, fingerprint, isRecord, type RecipeView } from '@larder-dev/larder/kernel'
import type { Automation, Automations } from '../domain/definition/automation.ts'
import { normalizeAll } from '../domain/definition/normalize.ts'
import { placeNow, REDACTED, redacted, secretTexts, withReferences, withValues } from '../domain/values/environment.ts'
import type { Sections } from '../recipe/sections.ts'

export interface Definitions {
  /** Those of the running recipe. */
  readonly current: Automations
  /** The digest of an automation of the running recipe. */
  digestOf(key: string): string
  /** What identifies the schedule and the moments of such an automation: others are planned for another trigger. */
  triggerOf(key: string): string
  /** The definition with this digest. Throws an Error for an unknown one. */
  get(digest: string): Promise<Automation>
  /** An automation of the running recipe as it is shown, without values of the environment. */
  shownAutomation(key: string): Automation | undefined
  /** The input of a step without values of the environment, which may be secrets. */
  shown(digest: string, position: number, input: unknown): unknown
  /** The texts in the input of a step that contain such values. */
  secretsIn(digest: string, position: number, input: unknown): readonly string[]
  /** The digests of the recipe that was applied last, by automation. */
  applied(): Promise<ReadonlyMap<string, string>>
  /** Stores the definitions of the running recipe, as the applied one. */
  save(): Promise<void>
  /** Claims those of this process, and deletes those that no process has claimed for a day, and that no run has. */
  sweep(): Promise<void>
}

const REASON = 'definitions of automations belong to no tenant'
const MAX_KEPT = 1000
const RETIRE = `update automations_definitions set retired_at = now() where digest <> all ($1) and retired_at is null`
const CLAIM = `update automations_definitions set retired_at = null where digest = any ($1) and retired_at is not null`
/** A process with another recipe may still start runs. */
const DELETE_RETIRED = `delete from automations_definitions d where retired_at < now() - interval '1 day'
  and not exists (select from automations_runs r where r.digest = d.digest)`

export function createDefinitions(
  { systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>,
  _options: unknown,
  { sections, isFromEnvironment }: RecipeView<Sections>,
): Definitions {
  const current = normalizeAll(sections.automations ?? {})
  const stored = new Map([...current].map(([key, automation]) => [key, withReferences(automation, isFromEnvironment)]))
  const digests = new Map([...stored].map(([key, automation]) => [key, fingerprint(automation)]))
  const storedDigests = [...digests.values()]
  const triggers = new Map([...current].map(([key, { trigger, when }]) => [key, fingerprint([trigger, when])]))
  const storedBy = new Map([...stored].map(([key, automation]) => [digests.get(key) as string, automation]))
  const known = new Map([...current.values()].map(automation => [digests.get(automation.key) as string, automation]))
  const names = new Map(
    Object.entries(sections.automations ?? {}).flatMap(([key, { was }]) => (was ? [[was, key]] : [])),
  )
  const storedInput = (wanted: string, position: number): unknown => {
    const step = storedBy.get(wanted)?.steps[position]
    if (step?.kind === 'wait') return { until: step.until }
    return step?.kind === 'ask' ? { role: step.role, text: step.text, choices: step.choices } : step?.input
  }
  return {
    current,
    digestOf: key => digests.get(key) as string,
    triggerOf: key => triggers.get(key) as string,
    async get(wanted) {
      const found = known.get(wanted)
      if (found) return found
      const { rows } = await systemDatabase
        .acrossTenants(REASON)
        .query<{ automation: string; definition: Automation }>(
          'select automation, definition from automations_definitions where digest = $1',
          [wanted],
        )
      const [row] = rows
      if (!row) throw new Error(`No automation has the digest ${wanted}`)
      // It may have been renamed more than once since the run began.
      const name = names.get(row.automation) ?? row.automation
      const running = stored.get(name)
      const definition = withValues(row.definition, path => {
        const place = running && placeNow(path, row.definition, running)
        return place && valueAt({ ...sections }, [...place.slice(0, 1), name, ...place.slice(2)])
      })
      if (known.size > MAX_KEPT) known.clear()
      known.set(wanted, definition)
      storedBy.set(wanted, row.definition)
      return definition
    },
    shownAutomation(key) {
      const found = stored.get(key)
      return found && withValues(found, () => REDACTED)
    },
    shown: (wanted, position, input) => redacted(input, storedInput(wanted, position)),
    secretsIn: (wanted, position, input) => secretTexts(input, storedInput(wanted, position)),
    async applied() {
      const { rows } = await systemDatabase
        .acrossTenants(REASON)
        .query<{ automation: string; digest: string }>(
          'select automation, digest from automations_definitions where applied',
        )
      return new Map(rows.map(({ automation, digest }) => [automation, digest]))
    },
    async sweep() {
      const system = systemDatabase.acrossTenants(REASON)
      await system.query(CLAIM, [storedDigests])
      await system.query(DELETE_RETIRED)
    },
    async save() {
      const list = [...stored.values()].map(automation => ({
        digest: digests.get(automation.key),
        automation: automation.key,
        definition: automation,
      }))
      const unit = systemDatabase.acrossTenants(REASON)
      await unit.query(
        `insert into automations_definitions (digest, automation, definition, created_at)
         select d.digest, d.automation, d.definition, $2
         from json_to_recordset($1::json) as d (digest text, automation text, definition jsonb)
         on conflict (digest) do update set retired_at = null where automations_definitions.retired_at is not null`,
        [JSON.stringify(list), new Date(clock.now()).toISOString()],
      )
      await unit.query(RETIRE, [storedDigests])
      await unit.query(
        'update automations_definitions set applied = digest = any ($1) where applied <> (digest = any ($1))',
        [storedDigests],
      )
    },
  }
}

const valueAt = (root: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : isRecord(value) ? value[step] : undefined),
    root,
  )
