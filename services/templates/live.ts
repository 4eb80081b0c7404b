/** Reloads open pages under `larder dev`. */

/** Server-sent events of `larder dev`: `reload`. */
export const LIVE_PATH = '/larder-dev'
export const LIVE_EVENT = 'event: reload\ndata: now\n\n'

/** Reloads after a reconnection too, because changes may have been missed. */
export const liveScript = (nonce: string): string =>
  `<script nonce="${nonce}">{const live=new EventSource('${LIVE_PATH}');let lost=false;` +
  `live.addEventListener('reload',()=>location.reload());` +
  `live.onerror=()=>{lost=true};live.onopen=()=>{if(lost)location.reload()}}</script>`
