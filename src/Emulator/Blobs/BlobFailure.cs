namespace EventHubThroughput.Emulator.Blobs;

/// <summary>An answer that is not a success: status, the service's own code, and a sentence.</summary>
internal sealed record BlobFailure(int Status, string Code, string Message)
{
    public static BlobFailure NotModified { get; } = new(304, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure InvalidBlobOrBlock { get; } = new(400, "InvalidBlobOrBlock", "The specified blob or block content is invalid.");

    public static BlobFailure InvalidBlockId { get; } = new(400, "InvalidBlockId", "The specified block ID is invalid. The block ID must be Base64-encoded.");

    public static BlobFailure InvalidBlockList { get; } = new(400, "InvalidBlockList", "The specified block list is invalid.");

    public static BlobFailure InvalidMetadata { get; } = new(400, "InvalidMetadata", "The metadata specified is invalid. It has characters that are not permitted.");

    public static BlobFailure InvalidResourceName { get; } = new(400, "InvalidResourceName", "The specified resource name contains invalid characters.");

    public static BlobFailure InvalidUri { get; } = new(400, "InvalidUri", "The requested URI does not represent any resource on the server.");

    public static BlobFailure InvalidXml { get; } = new(400, "InvalidXmlDocument", "The specified XML is not syntactically valid.");

    public static BlobFailure Md5Mismatch { get; } = new(400, "Md5Mismatch", "The MD5 value specified in the request did not match with the MD5 value calculated by the server.");

    public static BlobFailure MetadataTooLarge { get; } = new(400, "MetadataTooLarge", "The size of the specified metadata exceeds the maximum size permitted.");

    public static BlobFailure MultipleConditions { get; } = new(400, "MultipleConditionHeadersNotSupported", "Multiple condition headers are not supported.");

    public static BlobFailure AuthenticationFailed { get; } = new(403, "AuthenticationFailed", "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.");

    public static BlobFailure BlobNotFound { get; } = new(404, "BlobNotFound", "The specified blob does not exist.");

    public static BlobFailure ContainerNotFound { get; } = new(404, "ContainerNotFound", "The specified container does not exist.");

    public static BlobFailure ResourceNotFound { get; } = new(404, "ResourceNotFound", "The specified resource does not exist.");

    public static BlobFailure UnsupportedVerb { get; } = new(405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb.");

    public static BlobFailure BlobAlreadyExists { get; } = new(409, "BlobAlreadyExists", "The specified blob already exists.");

    public static BlobFailure BlockCountExceedsLimit { get; } = new(409, "BlockCountExceedsLimit", "The uncommitted block count cannot exceed the maximum limit of 50,000 blocks.");

    public static BlobFailure ContainerAlreadyExists { get; } = new(409, "ContainerAlreadyExists", "The specified container already exists.");

    public static BlobFailure MissingContentLength { get; } = new(411, "MissingContentLengthHeader", "The Content-Length header was not specified.");

    public static BlobFailure ConditionNotMet { get; } = new(412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");

    public static BlobFailure BodyTooLarge { get; } = new(413, "RequestBodyTooLarge", "The request body is too large and exceeds the maximum permissible limit.");

    public static BlobFailure InvalidRange { get; } = new(416, "InvalidRange", "The range specified is invalid for the current size of the resource.");

    public static BlobFailure InternalError { get; } = new(500, "InternalError", "The server encountered an internal error. Please retry the request.");

    public static BlobFailure NotImplemented { get; } = new(501, "NotImplemented", "The requested operation is not implemented on the specified resource.");

    public static BlobFailure ServerBusy { get; } = new(503, "ServerBusy", "The server is currently unable to receive requests: its memory limit is reached.");

    public static BlobFailure InvalidHeader(string name) =>
        new(400, "InvalidHeaderValue", $"The value for one of the HTTP headers is not in the correct format: {name}.");

    public static BlobFailure MissingHeader(string name) =>
        new(400, "MissingRequiredHeader", $"An HTTP header that's mandatory for this request is not specified: {name}.");

    public static BlobFailure InvalidQuery(string name) =>
        new(400, "InvalidQueryParameterValue", $"Value for one of the query parameters specified in the request URI is invalid: {name}.");

    public static BlobFailure QueryOutOfRange(string name) =>
        new(400, "OutOfRangeQueryParameterValue", $"One of the query parameters specified in the request URI is outside the permissible range: {name}.");
}
