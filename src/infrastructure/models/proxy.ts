import * as http from 'node:http'
import type { Environment } from './providers.ts'

let isSet = false

/** Sends requests through the proxy of HTTPS_PROXY and its like, where this Node can (24.14 and newer). */
export function followProxy(env: Environment): void {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  if (isSet || !names.some(name => env[name])) return
  isSet = true
  if ('setGlobalProxyFromEnv' in http && typeof http.setGlobalProxyFromEnv === 'function')
    http.setGlobalProxyFromEnv({ ...env })
}
