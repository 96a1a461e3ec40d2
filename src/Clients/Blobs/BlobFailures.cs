using System.Net;
using System.Net.Http.Headers;
using EventHubThroughput.Clients.Connections;

namespace EventHubThroughput.Clients.Blobs;

/// <summary>Converts answers and broken connections to the exception of the clients.</summary>
internal static class BlobFailures
{
    private const string CodeHeader = "x-ms-error-code";

    /// <summary>The container of a request is missing, not only its blob.</summary>
    public const string ContainerNotFound = "ContainerNotFound";

    /// <summary>The blob of a request is missing, but its container exists.</summary>
    public const string BlobNotFound = "BlobNotFound";

    public static MessagingException FromAnswer(BlobCall call, HttpResponseMessage answer, TimeProvider clock, bool followsUnanswered) =>
        Refused(call.Subject, answer.StatusCode, GetCode(answer), RetryAfter(answer, clock), followsUnanswered);

    /// <summary>The exception of an answer that is not a success.</summary>
    public static MessagingException Refused(BlobSubject subject, HttpStatusCode status, string code, TimeSpan retryAfter, bool followsUnanswered = false)
    {
        (var kind, var what) = status switch
        {
            HttpStatusCode.NotFound => (FailureKind.NotFound, NotFound(subject, code)),
            HttpStatusCode.Unauthorized or HttpStatusCode.Forbidden => (FailureKind.Unauthorized, $"{subject}: not authorized, key or rights refused"),
            HttpStatusCode.Conflict when code == "ContainerBeingDeleted" => (FailureKind.Transient, $"{subject}: the container is being deleted"),
            HttpStatusCode.Conflict => (FailureKind.Conflict, $"{subject}: already exists or is in use"),
            HttpStatusCode.PreconditionFailed => (FailureKind.Conflict, $"{subject}: has been changed by another writer"),
            HttpStatusCode.RequestEntityTooLarge => (FailureKind.TooLarge, $"{subject}: too large for the service"),
            HttpStatusCode.TooManyRequests => (FailureKind.Throttled, $"{subject}: the service asks to slow down"),
            HttpStatusCode.ServiceUnavailable => (FailureKind.Throttled, $"{subject}: the service is busy"),
            HttpStatusCode.RequestTimeout or HttpStatusCode.InternalServerError or HttpStatusCode.BadGateway or HttpStatusCode.GatewayTimeout => (
                FailureKind.Transient,
                $"{subject}: the service failed"
            ),
            _ => (FailureKind.Permanent, $"{subject}: refused"),
        };
        return new MessagingException(kind, $"{what} ({(int)status} {code})")
        {
            Condition = code,
            RetryAfter = retryAfter,
            FollowsUnanswered = followsUnanswered,
        };
    }

    private static TimeSpan RetryAfter(HttpResponseMessage answer, TimeProvider clock)
    {
        var header = answer.Headers.RetryAfter;
        var wait = header?.Delta ?? header?.Date - clock.GetUtcNow() ?? TimeSpan.Zero;
        return wait > TimeSpan.Zero ? wait : TimeSpan.Zero;
    }

    public static MessagingException NoAnswer(BlobSubject subject, string host, Exception exception) =>
        new(FailureKind.Transient, $"{subject}: no answer from {host} in time", exception) { Condition = "Timeout" };

    public static MessagingException Broken(BlobSubject subject, string host, Exception exception) =>
        new(FailureKind.Transient, $"{subject}: the connection to {host} broke", exception) { Condition = "ConnectionLost" };

    public static MessagingException NoConnection(BlobSubject subject, string host, Exception exception) =>
        new(FailureKind.Unconnected, $"{subject}: no connection to {host}", exception) { Condition = "NoConnection" };

    public static MessagingException Unreachable(BlobSubject subject, string host, TimeSpan limit, Exception exception) =>
        new(FailureKind.Unreachable, $"storage {host} unreachable for {limit.TotalSeconds:0.###} s ({subject}){Outage.GetLastingCause(exception)}", exception)
        {
            Condition = "NoConnection",
        };

    private static string GetCode(HttpResponseMessage answer) =>
        answer.Headers.NonValidated.TryGetValues(CodeHeader, out var values) ? values.ToString() : answer.ReasonPhrase ?? answer.StatusCode.ToString();

    private static string NotFound(BlobSubject subject, string code) =>
        code == ContainerNotFound ? $"container '{subject.Container}' does not exist" : $"{subject} does not exist";
}
