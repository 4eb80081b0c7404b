/** Settings that jobs read. */
declare module 'larder/kernel' {
  interface Settings {
    readonly jobsBackend: 'postgres' | 'mongodb' | 'redis'
    readonly mongodbUrl: string | undefined
  }
}

export {}
