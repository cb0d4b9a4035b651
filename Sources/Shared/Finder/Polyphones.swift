/// Readings that ICU's one reading for each character does not give. Characters are in folded form.
enum Polyphones {
    /// The usual reading in names first, then the others a person may type.
    static let characters: [String: [String]] = [
        "地": ["di", "de"], "长": ["chang", "zhang"], "都": ["du", "dou"], "行": ["xing", "hang"], "重": ["zhong", "chong"],
        "乐": ["le", "yue"], "会": ["hui", "kuai"], "厦": ["xia", "sha"], "呷": ["xia", "ga"], "仔": ["zai", "zi"], "朝": ["chao", "zhao"],
        "干": ["gan", "qian"], "珩": ["heng", "hang"], "著": ["zhu", "zhe"], "朴": ["pu", "piao"], "拓": ["tuo", "ta"], "佛": ["fo", "fu"],
        "阿": ["a", "e"], "和": ["he", "huo"], "大": ["da", "dai", "tai"], "石": ["shi", "dan"], "车": ["che", "ju"],
        "盛": ["sheng", "cheng"], "广": ["guang", "an"], "传": ["chuan", "zhuan"], "色": ["se", "shai"], "比": ["bi", "pi"],
        "柏": ["bai", "bo"], "叶": ["ye", "xie"], "卡": ["ka", "qia"], "系": ["xi", "ji"], "落": ["luo", "la"], "得": ["de", "dei"],
        "劲": ["jin", "jing"], "度": ["du", "duo"], "汤": ["tang", "shang"], "强": ["qiang", "jiang"], "奇": ["qi", "ji"],
        "莎": ["sha", "suo"], "隽": ["juan", "jun"], "区": ["qu", "ou"], "见": ["jian", "xian"], "浚": ["jun", "xun"],
        "沈": ["shen", "chen"], "解": ["jie", "xie"], "单": ["dan", "shan", "chan"], "曾": ["zeng", "ceng"], "藏": ["zang", "cang"],
        "调": ["diao", "tiao"], "便": ["bian", "pian"], "校": ["xiao", "jiao"], "宿": ["su", "xiu"], "仇": ["chou", "qiu"],
        "查": ["cha", "zha"], "参": ["can", "shen"], "差": ["cha", "chai"], "角": ["jiao", "jue"], "薄": ["bo", "bao"], "勒": ["le", "lei"],
        "数": ["shu", "shuo"], "尉": ["wei", "yu"], "蔚": ["wei", "yu"], "娜": ["na", "nuo"], "涌": ["yong", "chong"], "埔": ["pu", "bu"],
        "浒": ["hu", "xu"], "堡": ["bao", "pu", "bu"], "番": ["fan", "pan"], "蚌": ["bang", "beng"], "莞": ["guan", "wan"],
        "泊": ["bo", "po"], "泌": ["mi", "bi"], "咖": ["ka", "ga"], "戏": ["xi", "hu"], "纤": ["xian", "qian"], "铅": ["qian", "yan"],
        "露": ["lu", "lou"], "血": ["xue", "xie"], "壳": ["ke", "qiao"], "给": ["gei", "ji"], "还": ["hai", "huan"], "模": ["mo", "mu"],
        "率": ["lv", "shuai"], "弹": ["tan", "dan"], "降": ["jiang", "xiang"], "识": ["shi", "zhi"], "不": ["bu", "fou"],
        "圈": ["quan", "juan"], "万": ["wan", "mo"], "折": ["zhe", "she"], "卷": ["juan", "quan"], "氏": ["shi", "zhi"],
        "洗": ["xi", "xian"], "种": ["zhong", "chong"], "合": ["he", "ge"], "什": ["shen", "shi"], "炮": ["pao", "bao"],
        "爪": ["zhua", "zhao"], "似": ["si", "shi"], "扎": ["zha", "za"], "秘": ["mi", "bi"], "南": ["nan", "na"], "摩": ["mo", "ma"],
        "蛇": ["she", "yi"], "沓": ["ta", "da"], "繁": ["fan", "po"], "翟": ["zhai", "di"], "覃": ["tan", "qin"], "盖": ["gai", "ge"],
        "六": ["liu", "lu"], "粘": ["zhan", "nian"], "卜": ["bu", "bo"],
    ]

    /// Words whose reading is settled, though a character of theirs is usually read otherwise. The longest that fits wins.
    static let words: [String: [String]] = [
        "银行": ["yin", "hang"], "行业": ["hang", "ye"], "商行": ["shang", "hang"], "洋行": ["yang", "hang"], "车行": ["che", "hang"],
        "农商行": ["nong", "shang", "hang"], "投行": ["tou", "hang"], "央行": ["yang", "hang"], "中行": ["zhong", "hang"],
        "工行": ["gong", "hang"], "建行": ["jian", "hang"], "农行": ["nong", "hang"], "招行": ["zhao", "hang"], "交行": ["jiao", "hang"],
        "典当行": ["dian", "dang", "hang"], "行情": ["hang", "qing"], "分行": ["fen", "hang"],
        "重庆": ["chong", "qing"], "重组": ["chong", "zu"], "重启": ["chong", "qi"], "重生": ["chong", "sheng"], "九重": ["jiu", "chong"],
        "音乐": ["yin", "yue"], "乐器": ["yue", "qi"], "声乐": ["sheng", "yue"], "乐团": ["yue", "tuan"], "乐章": ["yue", "zhang"],
        "会计": ["kuai", "ji"], "财会": ["cai", "kuai"], "会稽": ["kuai", "ji"], "大厦": ["da", "sha"], "广厦": ["guang", "sha"],
        "高厦": ["gao", "sha"], "成长": ["cheng", "zhang"], "增长": ["zeng", "zhang"], "生长": ["sheng", "zhang"], "长子": ["zhang", "zi"],
        "助长": ["zhu", "zhang"], "家长": ["jia", "zhang"], "校长": ["xiao", "zhang"], "首长": ["shou", "zhang"],
        "市长": ["shi", "zhang"], "船长": ["chuan", "zhang"], "长老": ["zhang", "lao"], "长大": ["zhang", "da"], "大夫": ["dai", "fu"],
        "朝阳产业": ["zhao", "yang", "chan", "ye"], "朝气": ["zhao", "qi"], "今朝": ["jin", "zhao"], "单县": ["shan", "xian"],
        "西藏": ["xi", "zang"], "藏药": ["zang", "yao"], "宝藏": ["bao", "zang"], "收藏": ["shou", "cang"], "冷藏": ["leng", "cang"],
        "典藏": ["dian", "cang"], "储藏": ["chu", "cang"], "珍藏": ["zhen", "cang"], "便宜": ["pian", "yi"], "空调": ["kong", "tiao"],
        "调味": ["tiao", "wei"], "调节": ["tiao", "jie"], "协调": ["xie", "tiao"], "人参": ["ren", "shen"], "海参": ["hai", "shen"],
        "丹参": ["dan", "shen"], "传记": ["zhuan", "ji"], "自传": ["zi", "zhuan"], "水浒传": ["shui", "hu", "zhuan"],
        "乾坤": ["qian", "kun"], "干坤": ["qian", "kun"], "番禺": ["pan", "yu"], "六安": ["lu", "an"], "蚌埠": ["beng", "bu"],
        "大埔": ["da", "bu"], "黄埔": ["huang", "pu"], "东涌": ["dong", "chong"], "葵涌": ["kui", "chong"], "鲗鱼涌": ["ze", "yu", "chong"],
        "模具": ["mu", "ju"], "供给": ["gong", "ji"], "给养": ["ji", "yang"], "导弹": ["dao", "dan"], "子弹": ["zi", "dan"],
        "咖喱": ["ga", "li"], "卡口": ["qia", "kou"], "关卡": ["guan", "qia"], "解数": ["xie", "shu"], "解县": ["xie", "xian"],
        "角色": ["jue", "se"], "主角": ["zhu", "jue"], "薄荷": ["bo", "he"], "薄膜": ["bo", "mo"], "薄板": ["bo", "ban"],
        "的士": ["di", "shi"], "目的": ["mu", "di"], "湖泊": ["hu", "po"], "血液": ["xue", "ye"], "效率": ["xiao", "lv"],
        "利率": ["li", "lv"], "汇率": ["hui", "lv"], "频率": ["pin", "lv"], "表率": ["biao", "shuai"], "天台": ["tian", "tai"],
        "投降": ["tou", "xiang"], "折本": ["she", "ben"], "首都": ["shou", "du"], "大都会": ["da", "du", "hui"], "都是": ["dou", "shi"],
        "什锦": ["shi", "jin"], "尉迟": ["yu", "chi"], "蔚县": ["yu", "xian"], "台州": ["tai", "zhou"], "丽水": ["li", "shui"],
        "呷哺": ["xia", "bu"], "长江和记": ["chang", "jiang", "he", "ji"], "东莞": ["dong", "guan"], "莞尔": ["wan", "er"],
        "太监": ["tai", "jian"], "兴旺": ["xing", "wang"], "华山": ["hua", "shan"], "石斛": ["shi", "hu"],
        "秘鲁": ["bi", "lu"], "龟兹": ["qiu", "ci"], "可汗": ["ke", "han"], "康乐": ["kang", "le"],
        "娱乐": ["yu", "le"], "爱乐": ["ai", "yue"], "民乐": ["min", "yue"], "器乐": ["qi", "yue"], "乐清": ["yue", "qing"],
        "乐亭": ["lao", "ting"], "种植": ["zhong", "zhi"], "度支": ["duo", "zhi"], "堡垒": ["bao", "lei"], "十里堡": ["shi", "li", "pu"],
    ]

    static let longestWord = 5
}
