/** Names and versions that are stored in the database. */

/** `<module>:<event>`, with `#name` if a module listens twice. Stored in the deliveries table, so it must not change. */
export const handlerKey = (module: string, listener: { on: string; as?: string }): string =>
  `${module}:${listener.on}${listener.as ? `#${listener.as}` : ''}`

/** A payload schema may carry `version`; 1 otherwise. */
export const eventVersion = (schema: unknown): number => (schema as { version?: number } | undefined)?.version ?? 1
