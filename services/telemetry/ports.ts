/** Settings that telemetry reads. */
declare module '@larder-dev/larder/kernel' {
  interface Settings {
    /** Where traces are sent; undefined without tracing. */
    readonly tracesEndpoint: string | undefined
  }
}

export {}
