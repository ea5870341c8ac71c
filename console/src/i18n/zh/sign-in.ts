import type { signIn as en } from "../en/sign-in.ts";

export const signIn: Record<keyof typeof en, string> = {
  "signIn.title": "登录",
  "signIn.key": "密钥",
  "signIn.go": "登录",
  "signIn.or": "或",
  "signIn.ended": "会话已结束，请重新登录。",
  "signIn.unknown": "无法识别该密钥。",
  "signIn.problem.expired": "用时过长，请重试。",
  "signIn.problem.refused": "身份提供方未能确认您的身份，请重试。",
  "signIn.problem.not_allowed": "已识别您的身份，但您无权进入：请联系管理员添加您所在的组。",
  "signIn.problem.not_configured": "此处未配置身份提供方。",
  "signIn.problem.unreachable": "身份提供方没有响应，请稍后重试。",
  "signIn.hint": "管理密钥进入运维视图，客户端密钥进入其账户视图。密钥不会保存在浏览器中。",
};
