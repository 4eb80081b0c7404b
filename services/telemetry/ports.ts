/** Settings that telemetry reads. */
declare module '@larder-dev/larder/kernel' {
  interface Settings {
    /** Where traces are sent; undefined without tracing. */
    readonly tracesEndpoint: string | undefined
    /** Whether requests continue the trace of their caller. Otherwise they link to it. */
    readonly trustTraceparent: boolean
  }
}

export {}
