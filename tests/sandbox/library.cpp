// Uses much of the standard library, so that the precompiled headers and their library meet what programs do with them. f(20) adds up what came out.
#include <bits/stdc++.h>
using namespace std;
template class std::vector<int>;
struct Point { int x, y; bool operator<(const Point& o) const { return tie(x, y) < tie(o.x, o.y); } bool operator==(const Point& o) const { return x == o.x && y == o.y; } };
namespace std { template <> struct hash<Point> { size_t operator()(const Point& p) const { return p.x * 31 + p.y; } }; }
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct Square : Shape { double s; explicit Square(double s) : s(s) {} double area() const override { return s * s; } };
struct Wrong : runtime_error { using runtime_error::runtime_error; };
static int made = 0;
void* operator new(size_t n) { made++; if (void* p = malloc(n)) return p; throw bad_alloc(); }
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }
constexpr int cube(int x) { return x * x * x; }
static_assert(min(3, cube(2)) == 3 && string_view("abc").size() == 3);
template <class F> int apply(F f, int x) { return f(x); }
int f(int n) {
    vector<int> v(n); iota(v.begin(), v.end(), 0); reverse(v.begin(), v.end()); sort(v.begin(), v.end(), greater<>()); stable_sort(v.begin(), v.end());
    v.emplace_back(7); v.erase(remove(v.begin(), v.end(), 7), v.end()); v.resize(5); v.reserve(100); v.insert(v.begin() + 1, 3, 9);
    bool thrown = false; try { v.at(1000); } catch (const out_of_range& e) { thrown = string(e.what()).size() > 0; }
    try { (void)stoi("x"); } catch (const invalid_argument&) { thrown = thrown && true; }
    try { throw Wrong("w"); } catch (const exception& e) { thrown = thrown && string("w") == e.what(); }
    set<Point> s{{1, 2}, {0, 3}, {1, 2}}; unordered_map<Point, string> m; m[{1, 1}] = "a"; m[{1, 1}] += "b";
    map<string, vector<int>> g; g["k"].push_back(4); map<int, string> h{{1, "a"}, {2, "b"}}; multiset<int> ms{3, 1, 2};
    priority_queue<int, vector<int>, greater<int>> q; for (int x : {5, 1, 3}) q.push(x);
    deque<int> d{1, 2}; d.push_front(0); list<int> l{3, 1, 2}; l.sort(); stack<char> st; st.push('a'); queue<int> qu; qu.push(1);
    function<int(int)> twice = [&](int x) { return 2 * x + (int)d.size(); };
    unique_ptr<Shape> shape = make_unique<Square>(3.0); shared_ptr<int> shared = make_shared<int>(5); optional<int> o = 4; any a = string("any");
    stringstream out; out << setw(5) << setfill('0') << 42 << ' ' << fixed << setprecision(2) << 3.14159 << ' ' << boolalpha << true << '\n';
    string text = "the quick brown fox", word; istringstream in(text); vector<string> words; while (in >> word) words.push_back(word);
    sort(words.begin(), words.end()); string joined = accumulate(words.begin(), words.end(), string(), [](string a, const string& b) { return a.empty() ? b : a + "," + b; });
    transform(text.begin(), text.end(), text.begin(), ::toupper); replace(text.begin(), text.end(), ' ', '_'); regex r("([A-Z]+)_([A-Z]+)"); smatch match; regex_search(text, match, r);
    vector<bool> bits(10, true); bits[3] = false; bitset<8> b(5); array<int, 3> ar{3, 1, 2}; sort(ar.begin(), ar.end()); tuple<int, string> t{1, "z"}; auto [i, z] = t;
    mt19937 rng(1); uniform_int_distribution<int> dist(0, 9); int drawn = dist(rng); complex<double> c(0, 1); valarray<int> va{1, 2, 3};
    thread worker([&] { *shared += 1; }); worker.join(); atomic<int> at{1}; at += 2; mutex mu; lock_guard<mutex> lock(mu);
    swap(v[0], v[1]); next_permutation(ar.begin(), ar.end()); auto it = lower_bound(v.begin(), v.end(), 3); nth_element(v.begin(), v.begin() + 2, v.end());
    vector<vector<int>> grid(3, vector<int>(3, 1)); vector<string> vs{"a", "b"}; vector<double> vd{1.5, 2.5}; vector<float> vf{1.f}; vector<long long> vl{1LL << 40}; vector<pair<int, string>> vp{{1, "x"}}; vector<unsigned char> vc(3); vector<Point> pts{{2, 1}, {1, 5}}; sort(pts.begin(), pts.end());
    string big(1000, 'x'); big.append("yy").insert(0, "zz").erase(2, 3); big.replace(0, 1, "QQ"); size_t at2 = big.find("yy"); string sub = big.substr(big.rfind('Q'), 4); int cmp = string("a").compare("b");
    return thrown + s.size() + m[{1, 1}].size() + g["k"][0] + h[2].size() + *ms.begin() + q.top() + d.front() + l.front() + st.top() + qu.front() + twice(3) + (int)shape->area() + *shared + *o + (int)any_cast<string>(a).size() + (int)out.str().size() + (int)joined.size() + (int)match[1].str().size() + (int)count(bits.begin(), bits.end(), true) + (int)b.count() + ar[0] + i + (int)z.size() + drawn * 0 + (int)abs(c) + va.sum() + at + (int)(it - v.begin()) + grid[1][1] + (int)vs.size() + (int)(vd[0] + vd[1]) + (int)vf[0] + (int)(vl[0] >> 40) + vp[0].first + (int)vc.size() + pts[0].x + (int)at2 + (int)sub.size() + cmp + apply([](int x) { return x + 1; }, 1) + (made > 10) + (int)to_string(3.5).size() + v.size();
}
