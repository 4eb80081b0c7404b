/** The helper `flags` of generated clients. No imports: the file becomes part of the client. */

/** Attributes for rules and rollouts. `tenant`, `plan`, `roles` and `userId` come from the server. */
export type FlagContext = Readonly<Record<string, unknown>>

/** The methods of the client that the helper calls. */
interface FlagResources {
  readonly features: {
    readonly evaluate: (body: { context?: Record<string, unknown> | undefined }) => PromiseLike<{
      readonly flags: readonly object[]
    }>
    readonly evaluateByKey: {
      readonly post: (
        key: string,
        body: { context?: Record<string, unknown> | undefined },
      ) => PromiseLike<{ readonly value?: unknown }>
    }
  }
}

/** Evaluates the flags of the recipe for the caller. */
export const createFlags = <Flags extends object>({
  resources: { features },
}: {
  readonly resources: FlagResources
}) => ({
  /** The value of a flag. */
  async evaluate<Key extends keyof Flags & string>(key: Key, context: FlagContext = {}): Promise<Flags[Key]> {
    const { value } = await features.evaluateByKey.post(key, { context })
    return value as Flags[Key]
  },
  /** The values of all flags, by key. Flags that can't be evaluated in this context are missing. */
  async evaluateAll(context: FlagContext = {}): Promise<Partial<Flags>> {
    const { flags } = await features.evaluate({ context })
    const evaluated = flags as readonly { readonly key: string; readonly value?: unknown }[]
    const pairs = evaluated.filter(({ value }) => value !== undefined).map(({ key, value }) => [key, value])
    return Object.fromEntries(pairs) as Partial<Flags>
  },
})
