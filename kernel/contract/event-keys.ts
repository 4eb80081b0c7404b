/** Names and versions that stand in the database. */

/** `<module>:<event>`, and `#name` where a module listens twice: stands in the deliveries table, so it never changes. */
export const handlerKey = (module: string, listener: { on: string; as?: string }): string =>
  `${module}:${listener.on}${listener.as ? `#${listener.as}` : ''}`

/** A payload schema may carry `version`; 1 otherwise. */
export const eventVersion = (schema: unknown): number => (schema as { version?: number } | undefined)?.version ?? 1
