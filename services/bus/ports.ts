/** Settings that the bus reads. */
declare module '@larder-dev/larder/kernel' {
  interface Settings {
    readonly bus: 'memory' | 'postgres' | 'redis'
    readonly redisUrl: string | undefined
  }
}

export {}
