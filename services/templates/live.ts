/** For people who write templates: a page that is open in a browser loads anew when something changed. */

/** Server-sent events of `larder dev`: `reload`. */
export const LIVE_PATH = '/larder-dev'
export const LIVE_EVENT = 'event: reload\ndata: now\n\n'

/** A connection that was lost and comes back means that everything may be new. */
export const liveScript = (nonce: string): string =>
  `<script nonce="${nonce}">{const live=new EventSource('${LIVE_PATH}');let lost=false;` +
  `live.addEventListener('reload',()=>location.reload());` +
  `live.onerror=()=>{lost=true};live.onopen=()=>{if(lost)location.reload()}}</script>`
