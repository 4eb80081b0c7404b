/** What the mistakes beside this file are made against: two ports, an event, a channel and a job. */
export interface Greeter {
  greet(name: string): Promise<string>
}
export interface Postbox {
  send(to: string): Promise<void>
}
declare module '@larder-dev/larder/kernel' {
  interface Ports {
    greeter: Greeter
    postbox: Postbox
  }
  interface Events {
    'visits.visit.made': { visitId: string }
  }
  interface Channels {
    'visits.changed': { visitId: string }
  }
  interface Jobs {
    'visits.digest': { since: string }
  }
}
