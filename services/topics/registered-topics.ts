/** The topics of all modules, by name. */
import { type AccessCatalogue, type AnyTopic, allowValues, type Registry } from '@larder-dev/larder/kernel/internal'

const KEYWORDS: readonly string[] = ['user', 'public']

/** Throws for a name that isn't the module's or is taken, and for an unknown permission. */
export function registeredTopics(registry: Registry, access: AccessCatalogue): ReadonlyMap<string, AnyTopic> {
  const topics = new Map<string, AnyTopic>()
  const known = [...KEYWORDS, ...access.permissions().map(({ key }) => key)]
  for (const { key, value } of registry.collect<readonly AnyTopic[]>('topics'))
    for (const topic of value) {
      const { name, allow } = topic
      if (!name.startsWith(`${key}.`)) throw new Error(`The name of the topic "${name}" must begin with "${key}."`)
      if (topics.has(name)) throw new Error(`Two topics are named "${name}"`)
      const unknown = allowValues(allow).find(word => !known.includes(word))
      if (unknown !== undefined) throw new Error(`Unknown permission "${unknown}" in "allow" of the topic "${name}"`)
      topics.set(name, topic)
    }
  return topics
}
