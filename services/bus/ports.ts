/** Settings that the bus reads. */
declare module 'larder/kernel' {
  interface Settings {
    readonly bus: 'memory' | 'postgres' | 'redis'
    readonly redisUrl: string | undefined
  }
}

export {}
