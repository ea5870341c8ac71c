import type { shell as en } from "../en/shell.ts";

export const shell: Record<keyof typeof en, string> = {
  "shell.skip": "跳到页面内容",
  "shell.navigation": "栏目",
  "shell.operate": "运维",
  "shell.more": "更多",
  "shell.reference": "API 文档",
  "shell.language": "语言",
  "shell.theme": "主题",
  "shell.theme.system": "跟随系统",
  "shell.theme.light": "浅色",
  "shell.theme.dark": "深色",
  "shell.account": "账户",
  "shell.balance": "余额",
  "shell.signOut": "退出登录",
  "shell.role.operator": "以运维身份登录",
  "shell.role.viewer": "以只读身份登录",
  "shell.role.client": "以客户端密钥登录",
  "shell.notFound": "找不到页面",
  "shell.notFoundText": "没有这个页面。",
};
