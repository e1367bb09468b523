using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

/// <summary>Where the server is, and what every request sends.</summary>
public sealed record StandinClientOptions
{
    public string Url { get; init; } = "http://localhost:3000";

    /// <summary>A sandbox: a private copy of the data, created by the first request that names it.</summary>
    public string? Sandbox { get; init; }

    /// <summary>
    /// The SHA-256 or SHA-1 thumbprint of the certificate, as standin prints it. No other certificate is accepted.
    /// </summary>
    public string? Thumbprint { get; init; }

    /// <summary>
    /// The name of a user to sign in as, where the layer sign-in is listed. Only programs on the server's machine may.
    /// </summary>
    public string? User { get; init; }

    /// <summary>Headers of every request, such as X-API-KEY or Authorization.</summary>
    public IReadOnlyDictionary<string, string> Headers { get; init; } = new Dictionary<string, string>();

    /// <summary>Sends the requests in place of an own HttpClient, which would check the thumbprint.</summary>
    public HttpClient? Http { get; init; }
}

/// <summary>An error response: Code is for programs, Message for people.</summary>
public class StandinException : Exception
{
    internal StandinException(HttpStatusCode status, string code, string message, JsonElement body)
        : base(message)
    {
        Status = status;
        Code = code;
        Body = body;
    }

    public HttpStatusCode Status { get; }

    /// <summary>One of StandinErrorCodes, or another one.</summary>
    public string Code { get; }

    /// <summary>The whole body of the response; that of RECORD_INVALID has the list "errors".</summary>
    public JsonElement Body { get; }
}

/// <summary>
/// The record has changed since it was read, so nothing was written. Read it again and repeat the change.
/// </summary>
public sealed class StandinConflictException : StandinException
{
    internal StandinConflictException(string code, string message, JsonElement body, string? etag)
        : base(HttpStatusCode.PreconditionFailed, code, message, body)
    {
        ETag = etag;
    }

    /// <summary>The tag that the record has now.</summary>
    public string? ETag { get; }
}

/// <summary>Codes that requests for records can meet. There are more.</summary>
public static class StandinErrorCodes
{
    public const string BodyNotObject = "BODY_NOT_OBJECT";
    public const string CollectionNotFound = "COLLECTION_NOT_FOUND";
    public const string IdInvalid = "ID_INVALID";
    public const string IdTaken = "ID_TAKEN";
    public const string InternalError = "INTERNAL_ERROR";
    public const string QueryInvalid = "QUERY_INVALID";
    public const string RateLimitExceeded = "RATE_LIMIT_EXCEEDED";
    public const string ReadOnly = "READ_ONLY";
    public const string RecordChanged = "RECORD_CHANGED";
    public const string RecordInvalid = "RECORD_INVALID";
    public const string RecordNotFound = "RECORD_NOT_FOUND";
    public const string RecordReferenced = "RECORD_REFERENCED";
    public const string SandboxFull = "SANDBOX_FULL";
    public const string StoreUnavailable = "STORE_UNAVAILABLE";
}

/// <summary>A condition on records. Combine conditions with &amp;, | and !.</summary>
public sealed class StandinCondition<TRecord>
{
    private readonly Dictionary<string, object> _json;

    private StandinCondition(string key, object value) => _json = new() { [key] = value };

    public static StandinCondition<TRecord> operator &(
        StandinCondition<TRecord> left, StandinCondition<TRecord> right) =>
        new("and", new[] { left._json, right._json });

    public static StandinCondition<TRecord> operator |(
        StandinCondition<TRecord> left, StandinCondition<TRecord> right) =>
        new("or", new[] { left._json, right._json });

    public static StandinCondition<TRecord> operator !(StandinCondition<TRecord> condition) =>
        new("not", condition._json);

    /// <summary>The condition in the form of the query parameter _where.</summary>
    public override string ToString() => JsonSerializer.Serialize(_json);

    internal static StandinCondition<TRecord> On(string path, string name, object? operand) =>
        new(path, new Dictionary<string, object?> { [name] = operand });
}

/// <summary>A path to sort by.</summary>
public sealed record StandinOrder<TRecord>(string Path, bool IsDescending);

/// <summary>A new value of a field.</summary>
public sealed record StandinChange<TRecord>(string Field, object? Value);

/// <summary>A path to compare and sort by. A list matches if one of its elements does.</summary>
public class StandinPath<TRecord, TValue>
{
    public StandinPath(string path) => Path = path;

    public string Path { get; }

    public StandinOrder<TRecord> Ascending => new(Path, false);

    public StandinOrder<TRecord> Descending => new(Path, true);

    /// <summary>The value equals the text.</summary>
    public StandinCondition<TRecord> Eq(TValue value) => On("eq", value);

    /// <summary>The value exists and does not equal the text.</summary>
    public StandinCondition<TRecord> Ne(TValue value) => On("ne", value);

    /// <summary>The value is more than the bound.</summary>
    public StandinCondition<TRecord> Gt(TValue value) => On("gt", value);

    /// <summary>The value is at least the bound.</summary>
    public StandinCondition<TRecord> Gte(TValue value) => On("gte", value);

    /// <summary>The value is less than the bound.</summary>
    public StandinCondition<TRecord> Lt(TValue value) => On("lt", value);

    /// <summary>The value is at most the bound.</summary>
    public StandinCondition<TRecord> Lte(TValue value) => On("lte", value);

    /// <summary>The value equals one of the list.</summary>
    public StandinCondition<TRecord> In(params TValue[] values) => On("in", values);

    /// <summary>The value exists and equals none of the list.</summary>
    public StandinCondition<TRecord> NotIn(params TValue[] values) => On("nin", values);

    /// <summary>The value matches the pattern, in any case.</summary>
    public StandinCondition<TRecord> Like(string pattern) => On("like", pattern);

    /// <summary>The value is a string that contains the text, in any case.</summary>
    public StandinCondition<TRecord> Contains(string text) => On("contains", text);

    /// <summary>The value is a string that starts with the text, in any case.</summary>
    public StandinCondition<TRecord> StartsWith(string text) => On("startsWith", text);

    /// <summary>The value is a string that ends with the text, in any case.</summary>
    public StandinCondition<TRecord> EndsWith(string text) => On("endsWith", text);

    /// <summary>The value is a place with `lat` and `lon` that is no farther away than the distance.</summary>
    public StandinCondition<TRecord> Near(string circle) => On("near", circle);

    /// <summary>The value is missing or null.</summary>
    public StandinCondition<TRecord> IsNull() => On("null", true);

    private StandinCondition<TRecord> On(string name, object? operand) =>
        StandinCondition<TRecord>.On(Path, name, operand);
}

/// <summary>A field of a record: a path that can be changed, too.</summary>
public sealed class StandinField<TRecord, TField, TValue> : StandinPath<TRecord, TValue>
{
    public StandinField(string name)
        : base(name)
    {
    }

    /// <summary>A change for UpdateAsync.</summary>
    public StandinChange<TRecord> To(TField value) => new(Path, value);
}

/// <summary>Which records, in which order.</summary>
public sealed record StandinQuery<TRecord>
{
    public StandinCondition<TRecord>? Where { get; init; }

    /// <summary>A text that some value of the record contains.</summary>
    public string? Search { get; init; }

    public IReadOnlyList<StandinOrder<TRecord>> Sort { get; init; } = Array.Empty<StandinOrder<TRecord>>();

    /// <summary>How many records to leave out at the beginning. Only for ListAsync.</summary>
    public int? Start { get; init; }

    /// <summary>How many records at most; for PageAsync and AllAsync, on one page.</summary>
    public int? Limit { get; init; }

    /// <summary>Children to add, by the name of their collection. Read the result as a type of your own.</summary>
    public IReadOnlyList<string> Embed { get; init; } = Array.Empty<string>();

    /// <summary>Parents to add, in the singular.</summary>
    public IReadOnlyList<string> Expand { get; init; } = Array.Empty<string>();

    internal IEnumerable<(string Name, object? Value)> Parameters()
    {
        yield return ("_where", Where);
        yield return ("q", Search);
        if (Sort.Count > 0)
        {
            yield return ("_sort", string.Join(",", Sort.Select(one => (one.IsDescending ? "-" : "") + one.Path)));
        }
        foreach (var name in Embed) yield return ("_embed", name);
        foreach (var name in Expand) yield return ("_expand", name);
    }
}

/// <summary>One page of records. Page counts from 1; Total is the number of records on all pages.</summary>
public sealed record StandinPage<TRecord>(IReadOnlyList<TRecord> Records, int Page, int Pages, int Total);

/// <summary>
/// A collection. The methods that return one record remember its version. Give that record to ReplaceAsync,
/// UpdateAsync or DeleteAsync, and they throw a StandinConflictException if it has changed since. The methods by id
/// do not check.
/// </summary>
public sealed class StandinCollection<TRecord, TId>
    where TRecord : notnull
    where TId : notnull
{
    private readonly StandinConnection _connection;
    private readonly string _path;
    private readonly Func<TRecord, object?> _idOf;

    internal StandinCollection(StandinConnection connection, string name, Func<TRecord, object?> idOf)
    {
        _connection = connection;
        _path = "/" + Uri.EscapeDataString(name);
        _idOf = idOf;
    }

    /// <summary>The records of a query, in one response.</summary>
    public Task<IReadOnlyList<TRecord>> ListAsync(
        StandinQuery<TRecord>? query = null, CancellationToken cancellationToken = default) =>
        ListAsync<TRecord>(query, cancellationToken);

    /// <summary>The records of a query as another type, for those with related records.</summary>
    public async Task<IReadOnlyList<T>> ListAsync<T>(
        StandinQuery<TRecord>? query = null, CancellationToken cancellationToken = default)
    {
        var window = new (string, object?)[] { ("_start", query?.Start), ("_limit", query?.Limit) };
        return (await QueryAsync<T>(query, window, cancellationToken).ConfigureAwait(false)).Value;
    }

    /// <summary>One page, from 1, and how many there are. A page has 10 records, or as many as the limit.</summary>
    public async Task<StandinPage<TRecord>> PageAsync(
        int page, StandinQuery<TRecord>? query = null, CancellationToken cancellationToken = default)
    {
        var size = query?.Limit ?? 10;
        var window = new (string, object?)[] { ("_page", page), ("_limit", size) };
        var found = await QueryAsync<TRecord>(query, window, cancellationToken).ConfigureAwait(false);
        var total = int.Parse(found.Header("X-Total-Count") ?? "0", CultureInfo.InvariantCulture);
        return new StandinPage<TRecord>(found.Value, page, (total + size - 1) / size, total);
    }

    /// <summary>All records of a query, read page by page, with cursors.</summary>
    public async IAsyncEnumerable<TRecord> AllAsync(
        StandinQuery<TRecord>? query = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (string? cursor = ""; cursor is not null;)
        {
            var window = new (string, object?)[] { ("_limit", query?.Limit ?? 100), ("_after", cursor) };
            var found = await QueryAsync<TRecord>(query, window, cancellationToken).ConfigureAwait(false);
            foreach (var record in found.Value) yield return record;
            cursor = NextCursor(found.Header("Link"));
        }
    }

    /// <summary>How many records meet a condition.</summary>
    public async Task<int> CountAsync(
        StandinCondition<TRecord>? where = null, CancellationToken cancellationToken = default)
    {
        var query = new StandinQuery<TRecord> { Where = where };
        var window = new (string, object?)[] { ("_aggregate", "count") };
        var rows = await QueryAsync<JsonElement>(query, window, cancellationToken).ConfigureAwait(false);
        return rows.Value.Count == 0 ? 0 : rows.Value[0].GetProperty("count").GetInt32();
    }

    /// <summary>The record with this id; an error with the code RECORD_NOT_FOUND if there is none.</summary>
    public Task<TRecord> GetAsync(TId id, CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Get, PathOf(id), null, null, cancellationToken);

    /// <summary>The record with this id and related ones, as another type.</summary>
    public Task<T> GetAsync<T>(
        TId id,
        IReadOnlyList<string>? embed = null,
        IReadOnlyList<string>? expand = null,
        CancellationToken cancellationToken = default)
    {
        var query = new StandinQuery<TRecord> { Embed = embed ?? [], Expand = expand ?? [] };
        var path = PathOf(id) + StandinConnection.Search(query.Parameters());
        return _connection.RecordAsync<T>(HttpMethod.Get, path, null, null, cancellationToken);
    }

    /// <summary>The record with this id, or null.</summary>
    public async Task<TRecord?> FindAsync(TId id, CancellationToken cancellationToken = default)
    {
        try
        {
            return await GetAsync(id, cancellationToken).ConfigureAwait(false);
        }
        catch (StandinException thrown) when (thrown.Code == StandinErrorCodes.RecordNotFound)
        {
            return default;
        }
    }

    /// <summary>Creates a record. The server gives it an id unless it has one.</summary>
    public Task<TRecord> CreateAsync(TRecord record, CancellationToken cancellationToken = default) =>
        CreateFromAsync(record, cancellationToken);

    /// <summary>Creates a record from any object, for example an anonymous one with some of the fields.</summary>
    public Task<TRecord> CreateFromAsync(object values, CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Post, _path, values, null, cancellationToken);

    /// <summary>Replaces all fields but the id: ReplaceAsync(read, read with { Price = 5 }).</summary>
    public Task<TRecord> ReplaceAsync(
        TRecord read, TRecord record, CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Put, PathOfRecord(read), record, read, cancellationToken);

    /// <summary>Replaces all fields but the id, in any version of the record.</summary>
    public Task<TRecord> ReplaceByIdAsync(TId id, TRecord record, CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Put, PathOf(id), record, null, cancellationToken);

    /// <summary>Changes the given fields only: UpdateAsync(read, ProductFields.Price.To(5)).</summary>
    public Task<TRecord> UpdateAsync(TRecord read, params StandinChange<TRecord>[] changes) =>
        UpdateAsync(read, changes, default);

    /// <summary>Changes the given fields only.</summary>
    public Task<TRecord> UpdateAsync(
        TRecord read, IEnumerable<StandinChange<TRecord>> changes, CancellationToken cancellationToken)
    {
        var (path, body) = (PathOfRecord(read), StandinConnection.Body(changes));
        return _connection.RecordAsync<TRecord>(HttpMethod.Patch, path, body, read, cancellationToken);
    }

    /// <summary>Changes the given fields only, in any version of the record.</summary>
    public Task<TRecord> UpdateByIdAsync(TId id, params StandinChange<TRecord>[] changes) =>
        UpdateByIdAsync(id, changes, default);

    /// <summary>Changes the given fields only, in any version of the record.</summary>
    public Task<TRecord> UpdateByIdAsync(
        TId id, IEnumerable<StandinChange<TRecord>> changes, CancellationToken cancellationToken)
    {
        var body = StandinConnection.Body(changes);
        return _connection.RecordAsync<TRecord>(HttpMethod.Patch, PathOf(id), body, null, cancellationToken);
    }

    /// <summary>
    /// Stores a file in a field: UploadAsync(read, ProductFields.Photo.Self, stream, "hat.png", "image/png"). Reads the stream
    /// to its end and closes it.
    /// </summary>
    public Task<TRecord> UploadAsync<TField>(
        TRecord read,
        StandinField<TRecord, TField, object> field,
        Stream content,
        string name,
        string type = "application/octet-stream",
        CancellationToken cancellationToken = default)
    {
        var form = StandinConnection.Form(field.Path, content, name, type);
        return _connection.RecordAsync<TRecord>(HttpMethod.Patch, PathOfRecord(read), form, read, cancellationToken);
    }

    /// <summary>Stores a file in a field, in any version of the record.</summary>
    public Task<TRecord> UploadByIdAsync<TField>(
        TId id,
        StandinField<TRecord, TField, object> field,
        Stream content,
        string name,
        string type = "application/octet-stream",
        CancellationToken cancellationToken = default)
    {
        var form = StandinConnection.Form(field.Path, content, name, type);
        return _connection.RecordAsync<TRecord>(HttpMethod.Patch, PathOf(id), form, null, cancellationToken);
    }

    public Task DeleteAsync(TRecord read, CancellationToken cancellationToken = default) =>
        _connection.SendAsync<JsonElement>(HttpMethod.Delete, PathOfRecord(read), null, read, cancellationToken);

    public Task DeleteByIdAsync(TId id, CancellationToken cancellationToken = default) =>
        _connection.SendAsync<JsonElement>(HttpMethod.Delete, PathOf(id), null, null, cancellationToken);

    private Task<StandinResponse<IReadOnlyList<T>>> QueryAsync<T>(
        StandinQuery<TRecord>? query, (string, object?)[] window, CancellationToken cancellationToken)
    {
        var parameters = (query ?? new StandinQuery<TRecord>()).Parameters().Concat(window);
        var path = _path + StandinConnection.Search(parameters);
        return _connection.SendAsync<IReadOnlyList<T>>(HttpMethod.Get, path, null, null, cancellationToken);
    }

    private string PathOfRecord(TRecord record) =>
        PathOf(_idOf(record) ?? throw new ArgumentException("This record has no id, so it cannot be changed."));

    private string PathOf(object id) => _path + "/" + Uri.EscapeDataString(StandinConnection.Text(id));

    /// <summary>The cursor in the Link header; null on the last page.</summary>
    private static string? NextCursor(string? link)
    {
        var next = Regex.Match(link ?? "", "[?&]_after=([^&>]*)[^>]*>; rel=\"next\"");
        return next.Success ? Uri.UnescapeDataString(next.Groups[1].Value) : null;
    }
}

/// <summary>A single object. Remembers its version as collections do: give it as it was read.</summary>
public sealed class StandinSingleton<TRecord>
    where TRecord : notnull
{
    private readonly StandinConnection _connection;
    private readonly string _path;

    internal StandinSingleton(StandinConnection connection, string name)
    {
        _connection = connection;
        _path = "/" + Uri.EscapeDataString(name);
    }

    public Task<TRecord> GetAsync(CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Get, _path, null, null, cancellationToken);

    public Task<TRecord> ReplaceAsync(
        TRecord read, TRecord value, CancellationToken cancellationToken = default) =>
        _connection.RecordAsync<TRecord>(HttpMethod.Put, _path, value, read, cancellationToken);

    /// <summary>Changes the given fields only.</summary>
    public Task<TRecord> UpdateAsync(TRecord read, params StandinChange<TRecord>[] changes) =>
        UpdateAsync(read, changes, default);

    /// <summary>Changes the given fields only.</summary>
    public Task<TRecord> UpdateAsync(
        TRecord read, IEnumerable<StandinChange<TRecord>> changes, CancellationToken cancellationToken)
    {
        var body = StandinConnection.Body(changes);
        return _connection.RecordAsync<TRecord>(HttpMethod.Patch, _path, body, read, cancellationToken);
    }
}

/// <summary>Texts that choose from a list, by the EnumMember attribute of each value.</summary>
public sealed class StandinEnumConverter<TEnum> : JsonConverter<TEnum>
    where TEnum : struct, Enum
{
    private static readonly Dictionary<TEnum, string> Texts = typeof(TEnum)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .ToDictionary(
            field => (TEnum)field.GetValue(null)!,
            field => field.GetCustomAttribute<EnumMemberAttribute>()?.Value ?? field.Name);

    private static readonly Dictionary<string, TEnum> Values = Texts.ToDictionary(one => one.Value, one => one.Key);

    public override TEnum Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options)
    {
        var text = reader.GetString() ?? "";
        if (Values.TryGetValue(text, out var value)) return value;
        throw new JsonException($"\"{text}\" is none of the values of {typeof(TEnum).Name}.");
    }

    public override void Write(Utf8JsonWriter writer, TEnum value, JsonSerializerOptions options) =>
        writer.WriteStringValue(Texts[value]);
}

internal sealed record StandinResponse<T>(T Value, HttpResponseHeaders Headers)
{
    public string? Header(string name) =>
        Headers.TryGetValues(name, out var values) ? string.Join(", ", values) : null;
}

/// <summary>Sends requests, throws error responses, and knows the tags of the records that were read.</summary>
internal sealed class StandinConnection : IDisposable
{
    private readonly string _url;
    private readonly StandinClientOptions _options;
    private readonly HttpClient _http;
    private readonly ConditionalWeakTable<object, string> _tags = new();
    private string? _token;

    public StandinConnection(StandinClientOptions options)
    {
        _url = options.Url.TrimEnd('/');
        _options = options;
        _http = options.Http ?? new HttpClient(HandlerFor(options.Thumbprint));
    }

    /// <summary>Options for the same server with a sandbox. They share the HttpClient.</summary>
    public StandinClientOptions InSandbox(string name) => _options with { Sandbox = name, Http = _http };

    public Task RemoveSandboxAsync(CancellationToken cancellationToken)
    {
        if (_options.Sandbox is null) return Task.CompletedTask;
        var path = "/__sandboxes/" + Uri.EscapeDataString(_options.Sandbox);
        return SendAsync<JsonElement>(HttpMethod.Delete, path, null, null, cancellationToken);
    }

    public async Task<StandinFile> UploadFileAsync(
        Stream content, string name, string type, CancellationToken cancellationToken)
    {
        var form = Form("file", content, name, type);
        var response = await SendAsync<StandinFile>(HttpMethod.Post, "/__files", form, null, cancellationToken)
            .ConfigureAwait(false);
        return response.Value;
    }

    /// <summary>A request whose response is one record, with its tag.</summary>
    public async Task<T> RecordAsync<T>(
        HttpMethod method, string path, object? body, object? read, CancellationToken cancellationToken)
    {
        var response = await SendAsync<T>(method, path, body, read, cancellationToken).ConfigureAwait(false);
        // A weak tag, as that of a record with embedded ones, is no condition for a write.
        if (response.Headers.ETag is { IsWeak: false } tag && response.Value is object value and not ValueType)
        {
            _tags.AddOrUpdate(value, tag.Tag);
        }
        return response.Value;
    }

    /// <summary>A request; one that changes the record that was read, if that is given.</summary>
    public async Task<StandinResponse<T>> SendAsync<T>(
        HttpMethod method, string path, object? body, object? read, CancellationToken cancellationToken)
    {
        for (var isSecond = false; ; isSecond = true)
        {
            using var request = RequestFor(method, path, body);
            if (read is not null && _tags.TryGetValue(read, out var tag)) request.Headers.Add("If-Match", tag);
            if (_options.User is not null)
            {
                _token ??= await SignInAsync(_options.User, cancellationToken).ConfigureAwait(false);
                request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", _token);
            }
            using var response = await _http.SendAsync(request, cancellationToken).ConfigureAwait(false);
            var text = await response.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
            if (response.StatusCode == HttpStatusCode.Unauthorized && _token is not null && !isSecond)
            {
                // The token has expired, or all data was replaced. A stream cannot be sent twice.
                _token = null;
                if (body is not HttpContent) continue;
            }
            if (!response.IsSuccessStatusCode) throw ExceptionFor(response, text);
            return new StandinResponse<T>(JsonSerializer.Deserialize<T>(text)!, response.Headers);
        }
    }

    private HttpRequestMessage RequestFor(HttpMethod method, string path, object? body)
    {
        var request = new HttpRequestMessage(method, _url + path);
        foreach (var (name, value) in _options.Headers) request.Headers.TryAddWithoutValidation(name, value);
        if (_options.Sandbox is not null) request.Headers.Add("X-Standin-Sandbox", _options.Sandbox);
        if (body is HttpContent content)
        {
            request.Content = content;
        }
        else if (body is not null)
        {
            var json = JsonSerializer.Serialize(body, body.GetType());
            request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        }
        return request;
    }

    private async Task<string> SignInAsync(string user, CancellationToken cancellationToken)
    {
        using var request = RequestFor(HttpMethod.Post, "/__oidc/tokens", new { user });
        using var response = await _http.SendAsync(request, cancellationToken).ConfigureAwait(false);
        var text = await response.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
        if (!response.IsSuccessStatusCode) throw ExceptionFor(response, text);
        return JsonSerializer.Deserialize<JsonElement>(text).GetProperty("access_token").GetString()!;
    }

    /// <summary>An HttpClient that was given belongs to others.</summary>
    public void Dispose()
    {
        if (_options.Http is null) _http.Dispose();
    }

    internal static MultipartFormDataContent Form(string field, Stream content, string name, string type)
    {
        var part = new StreamContent(content);
        part.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        return new MultipartFormDataContent { { part, field, name } };
    }

    /// <summary>The id of a record that has no type of its own.</summary>
    internal static object? IdOf(JsonElement record, string key) =>
        record.ValueKind == JsonValueKind.Object && record.TryGetProperty(key, out var id) ? id : null;

    internal static Dictionary<string, object?> Body<TRecord>(IEnumerable<StandinChange<TRecord>> changes) =>
        changes.ToDictionary(change => change.Field, change => change.Value);

    internal static string Search(IEnumerable<(string Name, object? Value)> parameters)
    {
        var pairs = parameters
            .Where(one => one.Value is not null)
            .Select(one => one.Name + "=" + Uri.EscapeDataString(Text(one.Value!)));
        var search = string.Join("&", pairs);
        return search.Length == 0 ? "" : "?" + search;
    }

    internal static string Text(object value) => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";

    private static HttpClientHandler HandlerFor(string? thumbprint)
    {
        var handler = new HttpClientHandler();
        if (thumbprint is null) return handler;
        var expected = Regex.Replace(thumbprint, "[^0-9A-Fa-f]", "").ToUpperInvariant();
        var algorithm = expected.Length switch
        {
            40 => HashAlgorithmName.SHA1,
            64 => HashAlgorithmName.SHA256,
            _ => throw new ArgumentException("A thumbprint has 40 hexadecimal digits (SHA-1) or 64 (SHA-256)."),
        };
        handler.ServerCertificateCustomValidationCallback = (_, certificate, _, _) =>
            certificate?.GetCertHashString(algorithm) == expected;
        return handler;
    }

    private static StandinException ExceptionFor(HttpResponseMessage response, string text)
    {
        var status = response.StatusCode;
        var body = Parsed(text);
        var code = TextIn(body, "code") ?? "HTTP_" + (int)status;
        var message = TextIn(body, "message") ?? $"The server responded with status {(int)status}.";
        return status == HttpStatusCode.PreconditionFailed
            ? new StandinConflictException(code, message, body, response.Headers.ETag?.ToString())
            : new StandinException(status, code, message, body);
    }

    private static string? TextIn(JsonElement body, string name)
    {
        if (body.ValueKind != JsonValueKind.Object || !body.TryGetProperty(name, out var value)) return null;
        return value.ValueKind == JsonValueKind.String ? value.GetString() : null;
    }

    /// <summary>Error pages of proxies are no JSON.</summary>
    private static JsonElement Parsed(string text)
    {
        try
        {
            return JsonSerializer.Deserialize<JsonElement>(text);
        }
        catch (JsonException)
        {
            return JsonSerializer.SerializeToElement(text);
        }
    }
}
