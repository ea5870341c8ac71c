import type { signIn as en } from "../en/sign-in.ts";

export const signIn: Record<keyof typeof en, string> = {
  "signIn.title": "登录",
  "signIn.key": "密钥",
  "signIn.go": "登录",
  "signIn.or": "或",
  "signIn.unknown": "无法识别该密钥。",
  "signIn.hint": "管理密钥进入运维视图，客户端密钥进入其账户视图。密钥不会保存在浏览器中。",
};
