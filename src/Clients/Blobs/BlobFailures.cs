using System.Net;
using System.Net.Http.Headers;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Turns answers and broken connections into the clients' one exception.</summary>
internal static class BlobFailures
{
    private const string CodeHeader = "x-ms-error-code";

    /// <summary>The container of a request is missing, not its blob.</summary>
    public const string ContainerNotFound = "ContainerNotFound";

    /// <summary>The blob of a request is missing, its container is there.</summary>
    public const string BlobNotFound = "BlobNotFound";

    public static MessagingException FromAnswer(BlobCall call, HttpResponseMessage answer, TimeProvider clock)
    {
        string code = CodeOf(answer);
        (FailureKind kind, string what) = answer.StatusCode switch
        {
            HttpStatusCode.NotFound => (FailureKind.NotFound, NotFound(call, code)),
            HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden => (FailureKind.Unauthorized, $"{call.Subject}: not authorised, key or rights refused"),
            HttpStatusCode.Conflict when code == "ContainerBeingDeleted" => (FailureKind.Transient, $"{call.Subject}: the container is being deleted"),
            HttpStatusCode.Conflict => (FailureKind.Conflict, $"{call.Subject}: already exists or is in use"),
            HttpStatusCode.PreconditionFailed => (FailureKind.Conflict, $"{call.Subject}: has been changed by another writer"),
            HttpStatusCode.RequestEntityTooLarge => (FailureKind.TooLarge, $"{call.Subject}: too large for the service"),
            HttpStatusCode.TooManyRequests => (FailureKind.Throttled, $"{call.Subject}: the service asks to slow down"),
            HttpStatusCode.ServiceUnavailable => (FailureKind.Throttled, $"{call.Subject}: the service is busy"),
            HttpStatusCode.RequestTimeout or HttpStatusCode.InternalServerError or HttpStatusCode.BadGateway or HttpStatusCode.GatewayTimeout =>
                (FailureKind.Transient, $"{call.Subject}: the service failed"),
            _ => (FailureKind.Permanent, $"{call.Subject}: refused"),
        };
        return new MessagingException(kind, $"{what} ({(int)answer.StatusCode} {code})") { Condition = code, RetryAfter = RetryAfter(answer, clock) };
    }

    private static TimeSpan RetryAfter(HttpResponseMessage answer, TimeProvider clock)
    {
        RetryConditionHeaderValue? header = answer.Headers.RetryAfter;
        TimeSpan wait = header?.Delta ?? header?.Date - clock.GetUtcNow() ?? TimeSpan.Zero;
        return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
    }

    public static MessagingException NoAnswer(BlobCall call, string host, Exception exception) =>
        new(FailureKind.Transient, $"{call.Subject}: no answer from {host} in time", exception) { Condition = "Timeout" };

    public static MessagingException Broken(BlobCall call, string host, Exception exception) =>
        new(FailureKind.Transient, $"{call.Subject}: the connection to {host} broke", exception) { Condition = "ConnectionLost" };

    public static MessagingException NoConnection(BlobCall call, string host, Exception exception) =>
        new(FailureKind.Unconnected, $"{call.Subject}: no connection to {host}", exception) { Condition = "NoConnection" };

    public static MessagingException Unreachable(BlobCall call, string host, TimeSpan limit, Exception exception) =>
        new(FailureKind.Unreachable, $"storage {host} unreachable for {limit.TotalSeconds:0.###} s ({call.Subject})", exception) { Condition = "NoConnection" };

    private static string CodeOf(HttpResponseMessage answer) =>
        answer.Headers.NonValidated.TryGetValues(CodeHeader, out HeaderStringValues values)
            ? values.ToString()
            : answer.ReasonPhrase ?? answer.StatusCode.ToString();

    private static string NotFound(BlobCall call, string code) =>
        code == ContainerNotFound ? $"container '{call.Container}' does not exist" : $"{call.Subject} does not exist";
}
