export { default } from '../function/hosts/cloudflare.ts';
