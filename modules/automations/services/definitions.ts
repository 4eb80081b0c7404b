/** The automations of the running recipe, and the definitions that older runs keep. */
import { createHash } from 'node:crypto'
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { Automation, Automations } from '../domain/definition/automation.ts'
import { normalizeAll } from '../domain/definition/normalize.ts'
import type { Sections } from '../recipe/sections.ts'

export interface Definitions {
  /** Those of the running recipe. */
  readonly current: Automations
  /** The digest of an automation of the running recipe. */
  digestOf(key: string): string
  /** The definition with this digest. Throws an Error for an unknown one. */
  get(digest: string): Promise<Automation>
  /** Stores the definitions of the running recipe. */
  save(): Promise<void>
}

const REASON = 'definitions of automations belong to no tenant'
const MAX_KEPT = 1000

export function createDefinitions(
  { systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Definitions {
  const current = normalizeAll(sections.automations ?? {})
  const digests = new Map([...current].map(([key, automation]) => [key, digest(automation)]))
  const known = new Map([...current.values()].map(automation => [digests.get(automation.key) as string, automation]))
  return {
    current,
    digestOf: key => digests.get(key) as string,
    async get(wanted) {
      const found = known.get(wanted)
      if (found) return found
      const { rows } = await systemDatabase
        .acrossTenants(REASON)
        .query<{ definition: Automation }>('select definition from automations_definitions where digest = $1', [wanted])
      const [stored] = rows
      if (!stored) throw new Error(`No automation has the digest ${wanted}`)
      if (known.size > MAX_KEPT) known.clear()
      known.set(wanted, stored.definition)
      return stored.definition
    },
    async save() {
      const list = [...current.values()].map(automation => ({
        digest: digests.get(automation.key),
        automation: automation.key,
        definition: automation,
      }))
      await systemDatabase.acrossTenants(REASON).query(
        `insert into automations_definitions (digest, automation, definition, created_at)
         select d.digest, d.automation, d.definition, $2
         from json_to_recordset($1::json) as d (digest text, automation text, definition jsonb)
         on conflict do nothing`,
        [JSON.stringify(list), new Date(clock.now()).toISOString()],
      )
    },
  }
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url')
